import { Clock, Effect, type Fiber } from "effect"

/** A late request is interrupted with this delay at most. */
const CHECK_EVERY_MS = 100

interface OpenRequest {
  readonly startedAtNanos: bigint
  isLate: boolean
}

/** The requests that are in progress. */
export interface RequestDeadlines {
  readonly begin: (fiber: Fiber.Fiber<unknown, unknown>) => void
  /** Returns how many milliseconds the request took, and whether it was interrupted because it took too long. */
  readonly end: (fiber: Fiber.Fiber<unknown, unknown>) => { readonly ms: number; readonly isLate: boolean }
}

/**
 * Interrupts requests whose answer takes longer than the timeout. One timer checks all of them: a timer and a fiber for
 * each request would cost more than most requests. Uses the monotonic clock: a change of the system's time ends no request.
 */
export const requestDeadlines = Effect.fnUntraced(function* (timeoutMs: number) {
  const clock = yield* Clock.Clock
  const timeoutNanos = BigInt(timeoutMs) * 1_000_000n
  // In the order of their start.
  const openRequests = new Map<Fiber.Fiber<unknown, unknown>, OpenRequest>()

  const interruptLate = Effect.sync(() => {
    const now = clock.monotonicTimeNanosUnsafe()
    for (const [fiber, request] of openRequests) {
      if (now - request.startedAtNanos < timeoutNanos) return
      if (request.isLate) continue
      request.isLate = true
      fiber.interruptUnsafe()
    }
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(CHECK_EVERY_MS), interruptLate)))

  const deadlines: RequestDeadlines = {
    begin: (fiber) => openRequests.set(fiber, { startedAtNanos: clock.monotonicTimeNanosUnsafe(), isLate: false }),
    end: (fiber) => {
      const now = clock.monotonicTimeNanosUnsafe()
      const { isLate, startedAtNanos } = openRequests.get(fiber) ?? { isLate: false, startedAtNanos: now }
      openRequests.delete(fiber)
      return { ms: Number(now - startedAtNanos) / 1e6, isLate }
    }
  }
  return deadlines
})
