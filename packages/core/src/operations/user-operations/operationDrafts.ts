import { Effect } from "effect"
import { AccountOperations } from "./AccountOperations.ts"
import type { Call } from "./Call.ts"
import { maxGasFee, needsDeployment, type OperationContext, prefundOf } from "./operationContext.ts"
import { Paymaster } from "./Paymaster.ts"
import type { GasLimits, StateChanges } from "./Simulation.ts"
import type { UserOperation } from "./UserOperation.ts"

/** An operation whose gas limits must be estimated. */
export interface TrialRequest<P, E> {
  readonly context: OperationContext
  readonly nonce: bigint
  /** Unix seconds of the last block that may include the operation. */
  readonly validUntil: number
  readonly provisionalLimits: GasLimits
  /** Additional gas that the calls may need in a block after the simulated one. */
  readonly laterCallGas?: bigint
  /** Returns all calls of the operation, for a maximum gas fee in base units of the gas token. */
  readonly plan: (maxGasFee: bigint) => Effect.Effect<P, E>
  /** The state changes of the preceding operation. */
  readonly after?: StateChanges
  /** Whether another operation follows that needs the state changes of this one. */
  readonly isFollowed?: boolean
}

/** An operation with given gas limits, the values that depend on them, and the paymaster's stub data. */
export interface Draft<P> {
  readonly limits: GasLimits
  /** The maximum gas fee, in base units of the gas token. */
  readonly fee: bigint
  readonly plan: P
  readonly calls: ReadonlyArray<Call>
  /** The amount that the paymaster charges before the calls. */
  readonly prefund: bigint
  readonly isPrefunded: boolean
  readonly operation: UserOperation
}

export type PlannedCalls = { readonly calls: ReadonlyArray<Call> }

/** Builds operations with given gas limits, and requests the paymaster's signature. */
export const operationDrafts = Effect.gen(function* () {
  const accounts = yield* AccountOperations
  const paymasters = yield* Paymaster

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
      ...(deploys ? accounts.deploymentOf(account) : { factory: null, factoryData: null }),
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
          ? accounts.buildAuthorization(chainId, account.implementation, state.transactionCount)
          : null,
      validUntil: accounts.signsValidity(account) ? validUntil : null
    }
  }

  const draftFor = Effect.fnUntraced(function* <P extends PlannedCalls, E>(
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

  return { draftFor, signByPaymaster }
})
