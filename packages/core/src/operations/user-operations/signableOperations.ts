import { Clock, Effect } from "effect"
import { AccountOperations } from "./AccountOperations.ts"
import type { SignableOperation } from "./BuiltOperation.ts"
import { maxGasFeeWei } from "./gasFee.ts"
import { inclusionGraceSeconds } from "./inclusionEstimate.ts"
import { expectedGasFee, type OperationContext } from "./operationContext.ts"
import { operationDrafts } from "./operationDrafts.ts"
import type { SimulatedDraft, TrialRequest } from "./operationTrials.ts"

/**
 * Returns the last Unix second at which an operation is valid. The chain compares it with the block time, which may be
 * ahead of this machine's clock.
 */
export const lastValidSecond = Effect.fnUntraced(function* (
  { chainId, state }: OperationContext,
  expiresAtSeconds: number
) {
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  return expiresAtSeconds + Math.max(0, state.blockTimestamp - now) + inclusionGraceSeconds(chainId)
})

/** Completes a simulated operation, so that it can be signed. */
export const signableOperations = Effect.gen(function* () {
  const accounts = yield* AccountOperations
  const { signByPaymaster } = yield* operationDrafts

  /**
   * Adds the paymaster's signature, unless the operation would revert, because the paymaster does not sign such an
   * operation.
   */
  return Effect.fnUntraced(function* <P>(
    request: Pick<TrialRequest<P, unknown>, "context" | "validUntil">,
    { draft, signed: signedOperation, simulation }: Pick<SimulatedDraft<P>, "draft" | "signed" | "simulation">,
    isPaidFor: boolean
  ) {
    const operation = isPaidFor ? (signedOperation ?? (yield* signByPaymaster(request, draft))) : draft.operation
    const { context } = request
    const { paymaster, payGasFeeToken, state } = context
    const maxWei = maxGasFeeWei(draft.limits, state.maxFeePerGas)
    const isPaidAfterwards = paymaster !== null && !draft.isPrefunded
    const signableOperation: SignableOperation = {
      operation,
      hash: accounts.hash(operation),
      signData: accounts.buildSignData(context.account, operation),
      gas: {
        token: payGasFeeToken.address,
        maxWei,
        maxToken: draft.fee,
        expectedToken: expectedGasFee(context, simulation),
        unpaidWei: isPaidAfterwards ? maxWei : 0n,
        isFirstUse: isPaidAfterwards && paymaster.allowance < draft.fee
      }
    }
    return signableOperation
  })
})
