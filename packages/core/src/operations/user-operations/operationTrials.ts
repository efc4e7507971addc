import { Effect } from "effect"
import { AccountOperations } from "./AccountOperations.ts"
import { Bundler } from "./Bundler.ts"
import type { Call } from "./Call.ts"
import { GasForecasts, greaterLimits, suffices } from "./GasForecasts.ts"
import { maxGasFee, needsDeployment, type OperationContext, prefundOf, withoutLimits } from "./operationContext.ts"
import { Paymaster } from "./Paymaster.ts"
import type { GasLimits, Simulation, StateChanges } from "./Simulation.ts"
import type { UserOperation } from "./UserOperation.ts"

/** One operation whose limits are to be found. */
export interface TrialRequest<P, E> {
  readonly context: OperationContext
  readonly nonce: bigint
  /** Unix seconds of the last block that may have it. */
  readonly validUntil: number
  readonly provisionalLimits: GasLimits
  /** Gas that its calls take in a later block, and did not take in the one that they were run on. */
  readonly laterCallGas?: bigint
  /** All its calls, for the most that its gas can take in base units of the token that pays. */
  readonly plan: (maxGasFee: bigint) => Effect.Effect<P, E>
  /** The state changes of the operation before it. */
  readonly after?: StateChanges
  /** Whether another operation follows it, which has to know what this one changes. */
  readonly isFollowed?: boolean
}

/** An operation with these limits, and all that follows from them, with the paymaster's stub. */
export interface Draft<P> {
  readonly limits: GasLimits
  /** The most that its gas can take, in base units of the token that pays. */
  readonly fee: bigint
  readonly plan: P
  readonly calls: ReadonlyArray<Call>
  /** The paymaster's charge before the calls. */
  readonly prefund: bigint
  readonly isPrefunded: boolean
  readonly operation: UserOperation
}

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

type Planned = { readonly calls: ReadonlyArray<Call> }

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
  const paymasters = yield* Paymaster
  const forecasts = new GasForecasts()

  const operationOf = (
    context: OperationContext,
    nonce: bigint,
    calls: ReadonlyArray<Call>,
    limits: GasLimits,
    validUntil: number
  ): UserOperation => {
    const { account, chainId, paymaster, state } = context
    const deploys = needsDeployment(context)
    const entryPoint = accounts.entryPointOf(account)
    return {
      chainId,
      entryPoint: entryPoint.address,
      entryPointVersion: entryPoint.version,
      sender: account.address,
      nonce,
      ...(deploys ? accounts.deployment(account) : { factory: null, factoryData: null }),
      callData: accounts.encodeCalls(account, calls),
      callGasLimit: limits.callGasLimit,
      verificationGasLimit: limits.verificationGasLimit,
      preVerificationGas: limits.preVerificationGas,
      maxFeePerGas: state.maxFeePerGas,
      maxPriorityFeePerGas: state.maxPriorityFeePerGas,
      paymaster:
        paymaster === null
          ? null
          : {
              address: paymaster.terms.address,
              verificationGasLimit: limits.paymasterVerificationGasLimit,
              postOpGasLimit: limits.paymasterPostOpGasLimit,
              data: paymaster.terms.stubData
            },
      authorization:
        deploys && account.eip7702
          ? accounts.authorization(chainId, account.implementation, state.transactionCount)
          : null,
      validUntil: accounts.signsValidity(account) ? validUntil : null
    }
  }

  const draftFor = Effect.fnUntraced(function* <P extends Planned, E>(
    { context, nonce, plan, validUntil }: TrialRequest<P, E>,
    limits: GasLimits
  ) {
    const fee = maxGasFee(context, limits)
    const callPlan = yield* plan(fee)
    const prefund = prefundOf(context, limits)
    const operation = operationOf(context, nonce, callPlan.calls, limits, validUntil)
    const draft: Draft<P> = {
      limits,
      fee,
      plan: callPlan,
      calls: callPlan.calls,
      prefund,
      isPrefunded: prefund > 0n,
      operation
    }
    return draft
  })

  const signByPaymaster = Effect.fnUntraced(function* <P>(
    { context, validUntil }: Pick<TrialRequest<P, unknown>, "context" | "validUntil">,
    { operation, prefund }: Draft<P>
  ) {
    if (context.paymaster === null || operation.paymaster === null) return operation
    const { payGasFeeToken, paymaster } = context
    const data = yield* paymasters.sign(operation, payGasFeeToken, paymaster.terms, { validUntil, prefund })
    return { ...operation, paymaster: { ...operation.paymaster, data } }
  })

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

  return { draftFor, run, signByPaymaster }
})
