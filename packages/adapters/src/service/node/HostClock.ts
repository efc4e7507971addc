import { Clock, Effect, Layer } from "effect"

/** Takes the time from the host's clock. Delays use the machine's clock. */
export const layer = (milliseconds: () => number) =>
  Layer.effect(
    Clock.Clock,
    Effect.map(Clock.Clock, (clock) => {
      const nanos = () => BigInt(Math.round(milliseconds() * 1_000)) * 1_000n
      return Clock.Clock.of({
        currentTimeMillisUnsafe: milliseconds,
        currentTimeMillis: Effect.sync(milliseconds),
        currentTimeNanosUnsafe: nanos,
        currentTimeNanos: Effect.sync(nanos),
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: clock.monotonicTimeNanos,
        sleep: (duration) => clock.sleep(duration)
      })
    })
  )
