import { Effect } from "effect"
import { AccountOperations } from "./AccountOperations.ts"
import { Bundler } from "./Bundler.ts"
import { GasForecasts, greaterLimits, isSufficient } from "./GasForecasts.ts"
import { maxGasFee, withoutLimits } from "./operationContext.ts"
import { type Draft, operationDrafts, type PlannedCalls, type TrialRequest } from "./operationDrafts.ts"
import type { GasLimits, Simulation, StateChanges } from "./Simulation.ts"
import type { UserOperation } from "./UserOperation.ts"

export type { Draft, TrialRequest } from "./operationDrafts.ts"

/** A simulated draft. */
export interface SimulatedDraft<P> {
  readonly draft: Draft<P>
  /** The operation with the paymaster's signature. Null if the simulation did not need this signature. */
  readonly signed: UserOperation | null
  readonly simulation: Simulation
  /** The state changes of the operation. Null if no other operation follows, or if the estimation reverted. */
  readonly changes: StateChanges | null
  /** False if the simulation ran with larger limits than those of the draft. */
  readonly isLimited: boolean
}

/**
 * Maximum number of rounds. The fee depends on the limits, the plan on the fee, and the limits on the plan. They
 * usually converge after one round, and rarely need more than two.
 */
const MAX_ADJUSTMENTS = 3

/** Gas of a token transfer during validation and of its calldata, which an estimate does not include. */
const PREFUND_VERIFICATION_GAS = 45_000n
const PREFUND_CALLDATA_GAS = 400n

const withPrefundGas = (limits: GasLimits): GasLimits => ({
  ...limits,
  paymasterVerificationGasLimit: limits.paymasterVerificationGasLimit + PREFUND_VERIFICATION_GAS,
  preVerificationGas: limits.preVerificationGas + PREFUND_CALLDATA_GAS
})

/** Finds the gas limits of operations by repeated simulation. */
export const operationTrials = Effect.gen(function* () {
  const accounts = yield* AccountOperations
  const bundler = yield* Bundler
  const { draftFor, signByPaymaster } = yield* operationDrafts
  const forecasts = new GasForecasts()

  const simulate = (operation: UserOperation, { after, context, laterCallGas = 0n }: TrialRequest<unknown, unknown>) =>
    Effect.map(
      bundler.simulate(operation, accounts.stubSignatureOf(context.account), "STUB", after),
      (simulation): Simulation => ({
        ...simulation,
        limits: { ...simulation.limits, callGasLimit: simulation.limits.callGasLimit + laterCallGas }
      })
    )

  /**
   * Estimates gas limits with a simulation that has large limits. If the operation reverts and needs a higher fee than
   * the draft's, plans and simulates it again.
   */
  const estimate = Effect.fnUntraced(function* <P extends PlannedCalls, E>(
    request: TrialRequest<P, E>,
    draft: Draft<P>
  ) {
    const firstSimulation = yield* simulate(withoutLimits(draft.operation), request)
    if (firstSimulation.revert === null || maxGasFee(request.context, firstSimulation.limits) <= draft.fee)
      return firstSimulation
    const draftWithMoreGas = yield* draftFor(request, firstSimulation.limits)
    return yield* simulate(withoutLimits(draftWithMoreGas.operation), request)
  })

  /**
   * Simulates the final operation with these limits. If the paymaster charges before the calls, its signature must be
   * valid.
   */
  const tryLimits = Effect.fnUntraced(function* <P extends PlannedCalls, E>(
    request: TrialRequest<P, E>,
    limits: GasLimits
  ) {
    const draft = yield* draftFor(request, limits)
    const signedOperation = draft.isPrefunded ? yield* signByPaymaster(request, draft) : null
    const operation = signedOperation ?? draft.operation
    const stubSignature = accounts.stubSignatureOf(request.context.account)
    const [simulation, changes] = yield* Effect.all(
      [
        simulate(operation, request),
        request.isFollowed === true ? bundler.simulateStateChanges(operation, stubSignature) : Effect.succeed(null)
      ],
      { concurrency: 2 }
    )
    const trial: SimulatedDraft<P> = { draft, signed: signedOperation, simulation, changes, isLimited: true }
    return trial
  })

  /**
   * Simulates with the limits of similar operations. If there are none, or if that reverts, estimates the limits, which
   * also shows the reason of a revert.
   */
  const runFirstTrial = Effect.fnUntraced(function* <P extends PlannedCalls, E>(request: TrialRequest<P, E>) {
    const provisionalDraft = yield* draftFor(request, request.provisionalLimits)
    const forecast = forecasts.find(request.context, provisionalDraft)
    const forecastTrial = forecast === null ? null : yield* tryLimits(request, forecast)
    if (forecastTrial !== null && forecastTrial.simulation.revert === null) return forecastTrial
    const simulation = yield* estimate(request, provisionalDraft)
    const draft = yield* draftFor(request, simulation.limits)
    const revertedDraft: SimulatedDraft<P> = { draft, signed: null, simulation, changes: null, isLimited: false }
    if (simulation.revert !== null) return revertedDraft
    return yield* tryLimits(request, draft.isPrefunded ? withPrefundGas(simulation.limits) : simulation.limits)
  })

  /**
   * Returns the limits that an operation needs, if other limits could help. Null otherwise. An operation can revert
   * because its limits are too low, since the gas of a plan may depend on the fee. A simulation without limits shows
   * this.
   */
  const findNeededLimits = Effect.fnUntraced(function* <P extends PlannedCalls, E>(
    request: TrialRequest<P, E>,
    { draft, isLimited, simulation }: SimulatedDraft<P>
  ) {
    if (simulation.revert !== null && !isLimited) return null
    if (simulation.revert === null) return isSufficient(draft.limits, simulation.limits) ? null : simulation.limits
    const unlimitedSimulation = yield* simulate(withoutLimits(draft.operation), request)
    const limits = draft.isPrefunded ? withPrefundGas(unlimitedSimulation.limits) : unlimitedSimulation.limits
    return unlimitedSimulation.revert !== null || isSufficient(draft.limits, limits) ? null : limits
  })

  /**
   * Returns the simulated operation after at most `MAX_ADJUSTMENTS` rounds, in which its gas limits usually become
   * sufficient. If higher limits do not prevent the revert, the simulation contains its reason.
   */
  const runTrials = Effect.fnUntraced(function* <P extends PlannedCalls, E>(request: TrialRequest<P, E>) {
    let trial = yield* runFirstTrial(request)
    for (let attempt = 0; attempt < MAX_ADJUSTMENTS; attempt++) {
      const limits = yield* findNeededLimits(request, trial)
      if (limits === null) break
      // If limits and fee alternate between two values, the higher limits are kept until both converge.
      trial = yield* tryLimits(request, attempt === 0 ? limits : greaterLimits(trial.draft.limits, limits))
    }
    if (trial.simulation.revert === null) forecasts.remember(request.context, trial.draft, trial.simulation.limits)
    return trial
  })

  return { draftFor, run: runTrials }
})
