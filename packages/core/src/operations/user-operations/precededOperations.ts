import { Effect } from "effect"
import type { BuildRequest, OperationGas } from "./BuiltOperation.ts"
import type { Call } from "./Call.ts"
import { inclusionGraceSeconds } from "./inclusionEstimate.ts"
import { afterAllowance, allowanceCalls, type OperationContext } from "./operationContext.ts"
import type { operationTrials } from "./operationTrials.ts"
import { lastValidSecond, signableOperations } from "./signableOperations.ts"

const sumGas = (one: OperationGas, other: OperationGas): OperationGas => ({
  token: one.token,
  maxWei: one.maxWei + other.maxWei,
  maxToken: one.maxToken + other.maxToken,
  expectedToken: one.expectedToken + other.expectedToken,
  unpaidWei: one.unpaidWei + other.unpaidWei,
  isFirstUse: one.isFirstUse || other.isFirstUse
})

/**
 * Builds two operations. The first one grants the allowance for the fee and makes the preceding calls, the second one
 * makes the other calls. Both have the same nonce key, so that the EntryPoint accepts them only in this order. `trials`
 * caches gas limits for all operations.
 */
export const precededOperations = Effect.fnUntraced(function* (trials: Effect.Success<typeof operationTrials>) {
  const makeSignable = yield* signableOperations

  return Effect.fnUntraced(function* <P extends { readonly calls: ReadonlyArray<Call> }, E>(
    context: OperationContext,
    nonce: bigint,
    fee: bigint,
    request: BuildRequest<P, E>
  ) {
    const calls = [...allowanceCalls(context, fee), ...(request.before ?? [])]
    const firstRequest = {
      context,
      nonce,
      validUntil: yield* lastValidSecond(context, request.expiresAtSeconds),
      provisionalLimits: request.provisionalLimits,
      plan: () => Effect.succeed({ calls }),
      isFollowed: true
    }
    const firstTrial = yield* trials.run(firstRequest)
    const waitSeconds = inclusionGraceSeconds(context.chainId)
    const secondRequest = {
      context: afterAllowance(context, fee, firstTrial.draft.fee),
      nonce: nonce + 1n,
      validUntil: firstRequest.validUntil + waitSeconds,
      provisionalLimits: request.provisionalLimits,
      laterCallGas: request.laterCallGas ?? 0n,
      plan: (secondFee: bigint) => request.plan(firstTrial.draft.fee + secondFee, waitSeconds)
    }
    const secondTrial =
      firstTrial.changes === null
        ? {
            draft: yield* trials.draftFor(secondRequest, request.provisionalLimits),
            signed: null,
            simulation: firstTrial.simulation
          }
        : yield* trials.run({ ...secondRequest, after: firstTrial.changes })
    const revert = firstTrial.simulation.revert ?? secondTrial.simulation.revert
    const first = yield* makeSignable(firstRequest, firstTrial, revert === null)
    const signableOperation = yield* makeSignable(secondRequest, secondTrial, revert === null)
    return {
      ...signableOperation,
      first,
      totalGas: sumGas(first.gas, signableOperation.gas),
      simulation: {
        ...secondTrial.simulation,
        revert,
        transfers: revert === null ? [...firstTrial.simulation.transfers, ...secondTrial.simulation.transfers] : [],
        allowanceChanges:
          revert === null ? [...firstTrial.simulation.allowanceChanges, ...secondTrial.simulation.allowanceChanges] : []
      },
      plan: secondTrial.draft.plan,
      calls: [...calls, ...secondTrial.draft.calls]
    }
  })
})
