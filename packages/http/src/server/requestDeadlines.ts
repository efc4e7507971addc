import { Clock, Effect, type Fiber } from "effect"

/** How late a deadline is kept at most. */
const CHECK_EVERY_MS = 100

interface OpenRequest {
  readonly startedAtNanos: bigint
  isLate: boolean
}

/** The requests that are being answered. */
export interface RequestDeadlines {
  readonly count: () => number
  readonly begin: (fiber: Fiber.Fiber<unknown, unknown>) => void
  /** Answers how long it took, in milliseconds, and whether it was interrupted because that was too long. */
  readonly end: (fiber: Fiber.Fiber<unknown, unknown>) => { readonly ms: number; readonly isLate: boolean }
}

/**
 * Interrupts requests whose answer takes longer than the time given. All are looked at together every so often: a timer
 * and a fiber for each would cost more than most requests do. Real time, because it is the client's.
 */
export const requestDeadlines = Effect.fnUntraced(function* (timeoutMs: number) {
  const clock = yield* Clock.Clock
  const timeoutNanos = BigInt(timeoutMs) * 1_000_000n
  // In the order in which they began.
  const open = new Map<Fiber.Fiber<unknown, unknown>, OpenRequest>()

  const interruptLate = Effect.sync(() => {
    const now = clock.monotonicTimeNanosUnsafe()
    for (const [fiber, request] of open) {
      if (now - request.startedAtNanos < timeoutNanos) return
      if (request.isLate) continue
      request.isLate = true
      fiber.interruptUnsafe()
    }
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(CHECK_EVERY_MS), interruptLate)))

  const deadlines: RequestDeadlines = {
    count: () => open.size,
    begin: (fiber) => open.set(fiber, { startedAtNanos: clock.monotonicTimeNanosUnsafe(), isLate: false }),
    end: (fiber) => {
      const now = clock.monotonicTimeNanosUnsafe()
      const { isLate, startedAtNanos } = open.get(fiber) ?? { isLate: false, startedAtNanos: now }
      open.delete(fiber)
      return { ms: Number(now - startedAtNanos) / 1e6, isLate }
    }
  }
  return deadlines
})
