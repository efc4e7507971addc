import { Effect } from "effect"
import { AccountOperations } from "./AccountOperations.ts"
import { Bundler } from "./Bundler.ts"
import { GasForecasts, greaterLimits, suffices } from "./GasForecasts.ts"
import { maxGasFee, withoutLimits } from "./operationContext.ts"
import { type Draft, operationDrafts, type Planned, type TrialRequest } from "./operationDrafts.ts"
import type { GasLimits, Simulation, StateChanges } from "./Simulation.ts"
import type { UserOperation } from "./UserOperation.ts"

export type { Draft, TrialRequest } from "./operationDrafts.ts"

/** A draft that was run. */
export interface Trial<P> {
  readonly draft: Draft<P>
  /** With the paymaster's signature, where the run needed it. */
  readonly signed: UserOperation | null
  readonly simulation: Simulation
  /** Its state changes, where another operation follows it and it does not revert. */
  readonly changes: StateChanges | null
  /** Whether it ran within the draft's limits, and not with ample ones. */
  readonly isLimited: boolean
}

/** Limits change the fee, the fee the plan, and the plan the limits: it is settled after one round, or nearly always two. */
const MAX_ADJUSTMENTS = 3

/** A token's transfer in validation, and the bytes that ask for it: an estimate has neither. */
const PREFUND_VERIFICATION_GAS = 45_000n
const PREFUND_CALLDATA_GAS = 400n

const withPrefundGas = (limits: GasLimits): GasLimits => ({
  ...limits,
  paymasterVerificationGasLimit: limits.paymasterVerificationGasLimit + PREFUND_VERIFICATION_GAS,
  preVerificationGas: limits.preVerificationGas + PREFUND_CALLDATA_GAS
})

/** Finds the limits of operations by running them, until one runs as it will be. */
export const operationTrials = Effect.gen(function* () {
  const accounts = yield* AccountOperations
  const bundler = yield* Bundler
  const { draftFor, signByPaymaster } = yield* operationDrafts
  const forecasts = new GasForecasts()

  const simulate = (operation: UserOperation, { after, context, laterCallGas = 0n }: TrialRequest<unknown, unknown>) =>
    Effect.map(
      bundler.simulate(operation, accounts.stubSignature(context.account), "STUB", after),
      (simulation): Simulation => ({
        ...simulation,
        limits: { ...simulation.limits, callGasLimit: simulation.limits.callGasLimit + laterCallGas }
      })
    )

  /** Limits from generous ones. An operation that is heavier is planned again. */
  const estimate = Effect.fnUntraced(function* <P extends Planned, E>(request: TrialRequest<P, E>, draft: Draft<P>) {
    const first = yield* simulate(withoutLimits(draft.operation), request)
    if (first.revert === null || maxGasFee(request.context, first.limits) <= draft.fee) return first
    const heavier = yield* draftFor(request, first.limits)
    return yield* simulate(withoutLimits(heavier.operation), request)
  })

  /** A run of the operation as it will be. What is taken before the calls is only taken with a good signature. */
  const tryLimits = Effect.fnUntraced(function* <P extends Planned, E>(request: TrialRequest<P, E>, limits: GasLimits) {
    const draft = yield* draftFor(request, limits)
    const signed = draft.isPrefunded ? yield* signByPaymaster(request, draft) : null
    const operation = signed ?? draft.operation
    const stubSignature = accounts.stubSignature(request.context.account)
    const [simulation, changes] = yield* Effect.all(
      [
        simulate(operation, request),
        request.isFollowed === true ? bundler.stateChanges(operation, stubSignature) : Effect.succeed(null)
      ],
      { concurrency: 2 }
    )
    const trial: Trial<P> = { draft, signed, simulation, changes, isLimited: true }
    return trial
  })

  /** Begins with what operations like it needed. What reverts is estimated, because that tells why. */
  const firstTrial = Effect.fnUntraced(function* <P extends Planned, E>(request: TrialRequest<P, E>) {
    const provisional = yield* draftFor(request, request.provisionalLimits)
    const forecast = forecasts.find(request.context, provisional)
    const forecastTrial = forecast === null ? null : yield* tryLimits(request, forecast)
    if (forecastTrial !== null && forecastTrial.simulation.revert === null) return forecastTrial
    const simulation = yield* estimate(request, provisional)
    const draft = yield* draftFor(request, simulation.limits)
    const reverted: Trial<P> = { draft, signed: null, simulation, changes: null, isLimited: false }
    if (simulation.revert !== null) return reverted
    return yield* tryLimits(request, draft.isPrefunded ? withPrefundGas(simulation.limits) : simulation.limits)
  })

  /**
   * The limits that an operation needs, where it had less; null where other limits make no difference. One that reverts
   * within its limits may have had too little gas for a plan that the fee has changed: without limits it tells.
   */
  const neededLimits = Effect.fnUntraced(function* <P extends Planned, E>(
    request: TrialRequest<P, E>,
    { draft, isLimited, simulation }: Trial<P>
  ) {
    if (simulation.revert !== null && !isLimited) return null
    if (simulation.revert === null) return suffices(draft.limits, simulation.limits) ? null : simulation.limits
    const unlimited = yield* simulate(withoutLimits(draft.operation), request)
    const limits = draft.isPrefunded ? withPrefundGas(unlimited.limits) : unlimited.limits
    return unlimited.revert !== null || suffices(draft.limits, limits) ? null : limits
  })

  /** The operation with limits that suffice, and its run; or one that reverts, and why. */
  const run = Effect.fnUntraced(function* <P extends Planned, E>(request: TrialRequest<P, E>) {
    let trial = yield* firstTrial(request)
    for (let attempt = 0; attempt < MAX_ADJUSTMENTS; attempt++) {
      const limits = yield* neededLimits(request, trial)
      if (limits === null) break
      // Limits that go up and down with the fee that they lead to go up in the end.
      trial = yield* tryLimits(request, attempt === 0 ? limits : greaterLimits(trial.draft.limits, limits))
    }
    if (trial.simulation.revert === null) forecasts.remember(request.context, trial.draft, trial.simulation.limits)
    return trial
  })

  return { draftFor, run }
})
