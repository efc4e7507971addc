import { Context, DateTime, Effect, Layer } from "effect"
import { BadRequest, type UpstreamUnavailable } from "../../errors/index.ts"
import type { GasFee, UserOperationIntent } from "../../intents/index.ts"
import { Losses, type UnpaidGasLimit } from "../../losses/index.ts"
import { isNativeCoin } from "../../primitives/index.ts"
import type { ProjectId } from "../../projects/index.ts"
import {
  type BuiltOperation,
  type Call,
  type GasLimits,
  type GasTerms,
  inclusionGraceSeconds,
  type OpenRequest,
  type OperationContext,
  type RevertReason,
  type SignableOperation,
  UserOperationBuilder
} from "../../user-operations/index.ts"
import { type AssetChange, assetChanges } from "./AssetChange.ts"
import { explainedBy } from "./explainedBy.ts"
import { type MissingBalance, missingBalanceSentence, missingBalances, type Spend } from "./missingBalances.ts"
import { prefundTransfers } from "./prefund.ts"
import { QuoteSettings } from "./QuoteSettings.ts"

/** The parameters of a plan. */
export interface PlanFor {
  /** The most that gas can take, in base units of the token that pays. */
  readonly maxGasFee: bigint
  /** Unix seconds. Contracts must refuse the calls after this time. */
  readonly deadline: number
}

export interface PrepareRequest<P, E> {
  /** A generous gas limit for such an operation, used for the first plan. */
  readonly provisionalLimits: GasLimits
  /** Gas that the calls take in a later block, and may not have taken in the one that they were run on. */
  readonly laterCallGas?: bigint
  /** The calls of the operation. Called two or three times, each time with a more exact gas fee. */
  readonly plan: (planFor: PlanFor) => Effect.Effect<P, E>
  /** What a plan takes of the wallet, without gas. Where it would revert, what is missing of it is told. */
  readonly spends: (plan: P) => ReadonlyArray<Spend>
}

/** Who wants to pay the gas of an operation, and with what. */
export interface GasTermsRequest extends Pick<OpenRequest, "account" | "chainId" | "payGasFeeToken"> {
  readonly projectId: ProjectId
}

/** An operation that is ready to be signed, with its expiry. */
export interface Prepared<P> {
  /** All that is to be signed, in the order in which it is executed. */
  readonly intents: readonly [...ReadonlyArray<UserOperationIntent>, UserOperationIntent]
  /** The last of them, which has the calls of the plan. */
  readonly intent: UserOperationIntent
  /** Of all of them together. */
  readonly gas: GasFee
  /** How the wallet's balances change, gas and what is paid for it in advance included. */
  readonly assetChanges: ReadonlyArray<AssetChange>
  readonly operation: BuiltOperation<P>
  readonly quotedAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

/**
 * Prepares every operation on an EVM chain: reads the gas terms and the account, plans and simulates the calls, plans
 * them again with the gas fee of the simulation, and builds the operation to sign.
 */
export class Preparations extends Context.Service<
  Preparations,
  {
    /**
     * On which terms gas is paid. A token that no paymaster takes is the caller's mistake. Asks nobody where the wallet,
     * its owner or the project has left too much gas unpaid.
     */
    readonly gasTerms: (
      request: GasTermsRequest
    ) => Effect.Effect<GasTerms, UpstreamUnavailable | BadRequest | UnpaidGasLimit>
    /** First round trip to the node. */
    readonly open: (request: OpenRequest, terms: GasTerms) => Effect.Effect<OperationContext, UpstreamUnavailable>
    /** Second round trip. */
    readonly prepare: <P extends { readonly calls: ReadonlyArray<Call> }, E>(
      context: OperationContext,
      request: PrepareRequest<P, E>
    ) => Effect.Effect<Prepared<P>, E | UpstreamUnavailable>
  }
>()("@countersign/core/quotes/Preparations") {
  static readonly layer = Layer.effect(
    Preparations,
    Effect.gen(function* () {
      const builder = yield* UserOperationBuilder
      const losses = yield* Losses
      const { fundingHint, quoteSeconds } = yield* QuoteSettings

      /** Why an operation reverts, in words of what the wallet has, where that is why. */
      const explained = (revert: RevertReason | null, missing: ReadonlyArray<MissingBalance>): RevertReason | null => {
        if (revert === null || missing.length === 0) return revert
        const sentences = missing.flatMap((one) => [
          missingBalanceSentence(one),
          ...(fundingHint === undefined ? [] : [fundingHint(one)])
        ])
        return explainedBy(revert, sentences)
      }

      const prepare = Effect.fn("Preparations.prepare")(function* <
        P extends { readonly calls: ReadonlyArray<Call> },
        E
      >(context: OperationContext, { laterCallGas = 0n, plan, provisionalLimits, spends }: PrepareRequest<P, E>) {
        const quotedAt = yield* DateTime.now
        const expiresAt = DateTime.add(quotedAt, { seconds: quoteSeconds })
        const expiresAtSeconds = Math.floor(DateTime.toEpochMillis(expiresAt) / 1000)
        // Contracts use the chain's clock, which may be ahead of ours.
        const deadline =
          Math.max(expiresAtSeconds, context.state.blockTimestamp + quoteSeconds) +
          inclusionGraceSeconds(context.chainId)
        const builtOperation = yield* builder.build(context, {
          expiresAtSeconds,
          provisionalLimits,
          laterCallGas,
          plan: (maxGasFee, waitSeconds) => plan({ maxGasFee, deadline: deadline + waitSeconds })
        })
        const intentOf = ({ gas, hash, operation, signData }: SignableOperation): UserOperationIntent => ({
          type: "USER_OPERATION",
          account: context.account,
          operation,
          hash,
          gas,
          signData
        })
        const { allowance, simulation, totalGas } = builtOperation
        const revert = explained(simulation.revert, missingBalances(context, totalGas, spends(builtOperation.plan)))
        const intent = intentOf(builtOperation)
        const { entryPoint } = builtOperation.operation
        const prefund = revert === null ? prefundTransfers(context, entryPoint, totalGas.maxWei) : []
        const prepared: Prepared<P> = {
          intents: allowance === null ? [intent] : [intentOf(allowance), intent],
          intent,
          gas: totalGas,
          assetChanges: assetChanges(context.chainId, context.account.address, [...prefund, ...simulation.transfers]),
          operation: { ...builtOperation, simulation: { ...simulation, revert } },
          quotedAt,
          expiresAt
        }
        return prepared
      })

      return Preparations.of({
        gasTerms: Effect.fnUntraced(function* (request) {
          const { account, payGasFeeToken, projectId } = request
          yield* losses.admit({ projectId, account, usesPaymaster: !isNativeCoin(payGasFeeToken.address) })
          return yield* Effect.catchTag(builder.gasTerms(request), "GAS_TOKEN_NOT_ACCEPTED", (refusal) =>
            Effect.fail(BadRequest.of("payGasFeeToken", "gas_token_not_accepted", refusal.message))
          )
        }),
        open: builder.open,
        prepare
      })
    })
  )
}
