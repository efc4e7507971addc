import { Effect } from "effect"
import { AccountOperations } from "./AccountOperations.ts"
import { Bundler } from "./Bundler.ts"
import { GasForecasts, greaterLimits, suffices } from "./GasForecasts.ts"
import { maxGasFee, withoutLimits } from "./operationContext.ts"
import { type Draft, operationDrafts, type Planned, type TrialRequest } from "./operationDrafts.ts"
import type { GasLimits, Simulation, StateChanges } from "./Simulation.ts"
import type { UserOperation } from "./UserOperation.ts"

export type { Draft, TrialRequest } from "./operationDrafts.ts"

/** A simulated draft. */
export interface Trial<P> {
  readonly draft: Draft<P>
  /** With the paymaster's signature, if the simulation needed it. */
  readonly signed: UserOperation | null
  readonly simulation: Simulation
  /** Its state changes, if another operation follows it and it does not revert. */
  readonly changes: StateChanges | null
  /** Whether it ran within the draft's limits, and not with larger ones. */
  readonly isLimited: boolean
}

/**
 * Limits affect the fee, the fee the plan, and the plan the limits: they converge after one or nearly always two
 * rounds.
 */
const MAX_ADJUSTMENTS = 3

/** The gas of a token transfer in validation and its call data, which an estimate does not include. */
const PREFUND_VERIFICATION_GAS = 45_000n
const PREFUND_CALLDATA_GAS = 400n

const withPrefundGas = (limits: GasLimits): GasLimits => ({
  ...limits,
  paymasterVerificationGasLimit: limits.paymasterVerificationGasLimit + PREFUND_VERIFICATION_GAS,
  preVerificationGas: limits.preVerificationGas + PREFUND_CALLDATA_GAS
})

/** Finds the limits of operations by simulation, until the final operation succeeds. */
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

  /** Estimates limits from large ones. An operation that needs more is planned again. */
  const estimate = Effect.fnUntraced(function* <P extends Planned, E>(request: TrialRequest<P, E>, draft: Draft<P>) {
    const first = yield* simulate(withoutLimits(draft.operation), request)
    if (first.revert === null || maxGasFee(request.context, first.limits) <= draft.fee) return first
    const heavier = yield* draftFor(request, first.limits)
    return yield* simulate(withoutLimits(heavier.operation), request)
  })

  /** Simulates the final operation. A charge before the calls needs a valid signature. */
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

  /** Begins with the limits of similar operations. If it reverts, the limits are estimated, which shows the reason. */
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
   * The limits that an operation needs, if it had less; null if other limits make no difference. An operation that
   * reverts within its limits may have had too little gas for a plan that depends on the fee: the simulation without
   * limits shows it.
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

  /** The operation with sufficient limits and its simulation; or one that reverts, with the reason. */
  const run = Effect.fnUntraced(function* <P extends Planned, E>(request: TrialRequest<P, E>) {
    let trial = yield* firstTrial(request)
    for (let attempt = 0; attempt < MAX_ADJUSTMENTS; attempt++) {
      const limits = yield* neededLimits(request, trial)
      if (limits === null) break
      // Limits that alternate with the fee that depends on them are increased in the end.
      trial = yield* tryLimits(request, attempt === 0 ? limits : greaterLimits(trial.draft.limits, limits))
    }
    if (trial.simulation.revert === null) forecasts.remember(request.context, trial.draft, trial.simulation.limits)
    return trial
  })

  return { draftFor, run }
})
