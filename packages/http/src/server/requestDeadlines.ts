import { Clock, Effect, type Fiber } from "effect"

/** Interval of the timeout checks, in milliseconds. An interruption can be late by this much. */
const CHECK_EVERY_MS = 100

interface OpenRequest {
  readonly startedAtNanos: bigint
  /**
   * Returns whether the request is still being received. If it returns true when the timeout ends, the timeout starts
   * again after the request has been completely received.
   */
  readonly isArriving: () => boolean
  /** Monotonic time at which the timeout started. */
  countedFromNanos: bigint
  isLate: boolean
}

/** Registers and ends the requests whose duration is limited. */
export interface RequestDeadlines {
  /**
   * Starts the timeout. If `isArriving` returns true when the timeout ends, the timeout starts again after the request
   * has been completely received.
   */
  readonly begin: (fiber: Fiber.Fiber<unknown, unknown>, isArriving: () => boolean) => void
  /** Returns the duration of the request in milliseconds, and whether the timeout interrupted it. */
  readonly end: (fiber: Fiber.Fiber<unknown, unknown>) => { readonly ms: number; readonly isLate: boolean }
}

/**
 * Interrupts requests that exceed the timeout. One timer checks all requests, because a timer and a fiber per request
 * would cost more than most requests. The monotonic clock is used, so that a change of the system time interrupts no
 * request.
 */
export const requestDeadlines = Effect.fnUntraced(function* (timeoutMs: number) {
  const clock = yield* Clock.Clock
  const timeoutNanos = BigInt(timeoutMs) * 1_000_000n
  // In the order in which their timeouts started.
  const openRequests = new Map<Fiber.Fiber<unknown, unknown>, OpenRequest>()
  const incompleteRequests = new Map<Fiber.Fiber<unknown, unknown>, OpenRequest>()

  const interruptLate = Effect.sync(() => {
    const now = clock.monotonicTimeNanosUnsafe()
    for (const [fiber, request] of incompleteRequests) {
      if (request.isArriving()) continue
      incompleteRequests.delete(fiber)
      request.countedFromNanos = now
      openRequests.set(fiber, request)
    }
    for (const [fiber, request] of openRequests) {
      if (now - request.countedFromNanos < timeoutNanos) return
      if (request.isLate) continue
      if (request.isArriving()) {
        openRequests.delete(fiber)
        incompleteRequests.set(fiber, request)
        continue
      }
      request.isLate = true
      fiber.interruptUnsafe()
    }
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(CHECK_EVERY_MS), interruptLate)))

  const deadlines: RequestDeadlines = {
    begin: (fiber, isArriving) => {
      const now = clock.monotonicTimeNanosUnsafe()
      openRequests.set(fiber, { startedAtNanos: now, countedFromNanos: now, isArriving, isLate: false })
    },
    end: (fiber) => {
      const now = clock.monotonicTimeNanosUnsafe()
      const request = openRequests.get(fiber) ?? incompleteRequests.get(fiber)
      const { isLate, startedAtNanos } = request ?? { isLate: false, startedAtNanos: now }
      openRequests.delete(fiber)
      incompleteRequests.delete(fiber)
      return { ms: Number(now - startedAtNanos) / 1e6, isLate }
    }
  }
  return deadlines
})
