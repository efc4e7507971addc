import { Clock, Effect, type Fiber } from "effect"

/** A late request is interrupted with this delay at most. */
const CHECK_EVERY_MS = 100

interface OpenRequest {
  readonly startedAtNanos: bigint
  /** While it does, the answer is not late. */
  readonly isArriving: () => boolean
  /** From where the timeout counts. */
  countedFromNanos: bigint
  isLate: boolean
}

/** The requests that are in progress. */
export interface RequestDeadlines {
  /** The timeout of a request that takes longer because it `isArriving` counts from where it has arrived. */
  readonly begin: (fiber: Fiber.Fiber<unknown, unknown>, isArriving: () => boolean) => void
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
  // In the order from where they are counted.
  const openRequests = new Map<Fiber.Fiber<unknown, unknown>, OpenRequest>()
  const arriving = new Map<Fiber.Fiber<unknown, unknown>, OpenRequest>()

  const interruptLate = Effect.sync(() => {
    const now = clock.monotonicTimeNanosUnsafe()
    for (const [fiber, request] of arriving) {
      if (request.isArriving()) continue
      arriving.delete(fiber)
      request.countedFromNanos = now
      openRequests.set(fiber, request)
    }
    for (const [fiber, request] of openRequests) {
      if (now - request.countedFromNanos < timeoutNanos) return
      if (request.isLate) continue
      if (request.isArriving()) {
        openRequests.delete(fiber)
        arriving.set(fiber, request)
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
      const request = openRequests.get(fiber) ?? arriving.get(fiber)
      const { isLate, startedAtNanos } = request ?? { isLate: false, startedAtNanos: now }
      openRequests.delete(fiber)
      arriving.delete(fiber)
      return { ms: Number(now - startedAtNanos) / 1e6, isLate }
    }
  }
  return deadlines
})
