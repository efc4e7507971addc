import { Clock, Effect } from "effect"
import { CircuitBreaker, type HostFailure } from "../../chains/evm/index.ts"

/** When a host of an API is left alone, by the service's clock. */
export const makeHostCircuit = (options: ConstructorParameters<typeof CircuitBreaker>[0]) =>
  Effect.map(
    Clock.Clock,
    (clock) =>
      new CircuitBreaker(options, {
        now: () => clock.currentTimeMillisUnsafe(),
        sleep: () => Promise.resolve(),
        random: () => 0.5
      })
  )

/** Writes an exchange down; null for one that went well. A refusal says nothing of other requests. */
export const recordIn = (circuit: CircuitBreaker, failure: HostFailure | null): Effect.Effect<void> =>
  Effect.sync(() => {
    if (failure === null || failure.kind === "TOO_HEAVY") circuit.recordSuccess()
    else if (failure.kind === "LIMITED") circuit.openFor(failure.retryAfterMs)
    else circuit.recordFailure()
  })
