import { Clock, Effect, Layer } from "effect"

/** The machine's clock plus an offset: the clock of a sandbox, which can be moved. */
export const layer = (offsetSeconds: () => number) =>
  Layer.effect(
    Clock.Clock,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const millis = () => clock.currentTimeMillisUnsafe() + offsetSeconds() * 1000
      const nanos = () => clock.currentTimeNanosUnsafe() + BigInt(offsetSeconds()) * 1_000_000_000n
      return Clock.Clock.of({
        currentTimeMillisUnsafe: millis,
        currentTimeMillis: Effect.sync(millis),
        currentTimeNanosUnsafe: nanos,
        currentTimeNanos: Effect.sync(nanos),
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: clock.monotonicTimeNanos,
        sleep: (duration) => clock.sleep(duration)
      })
    })
  )
