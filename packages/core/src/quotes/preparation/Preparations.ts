import { Context, DateTime, Effect, Layer } from "effect"
import { BadRequest, type UpstreamUnavailable } from "../../errors/index.ts"
import type { UserOperationIntent } from "../../intents/index.ts"
import {
  type BuiltOperation,
  type Call,
  type GasLimits,
  type GasTerms,
  INCLUSION_GRACE_SECONDS,
  type OpenRequest,
  type OperationContext,
  UserOperationBuilder
} from "../../user-operations/index.ts"
import { QuoteSettings } from "./QuoteSettings.ts"

/** What a plan is made for. */
export interface PlanFor {
  /** The most that gas can take, in base units of the token that pays. */
  readonly maxGasFee: bigint
  /** Unix seconds after which contracts are to refuse the calls. */
  readonly deadline: number
}

export interface PrepareRequest<P, E> {
  /** The gas that such an operation needs, generously: what it is first planned with. */
  readonly provisionalLimits: GasLimits
  /** What the operation will do. Asked two or three times, each time for a gas fee that is known better. */
  readonly plan: (planFor: PlanFor) => Effect.Effect<P, E>
}

/** An operation that is ready to be signed, and until when. */
export interface Prepared<P> {
  readonly intent: UserOperationIntent
  readonly operation: BuiltOperation<P>
  readonly quotedAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

/**
 * How every operation on an EVM chain is prepared: gas terms, the account as it is, calls planned and simulated, planned
 * again with the gas fee that the simulation gave, and made an operation to sign.
 */
export class Preparations extends Context.Service<
  Preparations,
  {
    /** On which terms gas is paid. A token that no paymaster takes is the caller's mistake. */
    readonly gasTerms: (
      request: Pick<OpenRequest, "account" | "chainId" | "payGasFeeToken">
    ) => Effect.Effect<GasTerms, UpstreamUnavailable | BadRequest>
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
      const { quoteSeconds } = yield* QuoteSettings

      const prepare = Effect.fn("Preparations.prepare")(function* <
        P extends { readonly calls: ReadonlyArray<Call> },
        E
      >(context: OperationContext, { plan, provisionalLimits }: PrepareRequest<P, E>) {
        const quotedAt = yield* DateTime.now
        const expiresAt = DateTime.add(quotedAt, { seconds: quoteSeconds })
        const expiresAtSeconds = Math.floor(DateTime.toEpochMillis(expiresAt) / 1000)
        // The chain's clock may be ahead of ours, and it is the one that contracts ask.
        const deadline =
          Math.max(expiresAtSeconds, context.state.blockTimestamp + quoteSeconds) + INCLUSION_GRACE_SECONDS
        const builtOperation = yield* builder.build(context, {
          expiresAtSeconds,
          provisionalLimits,
          plan: (maxGasFee) => plan({ maxGasFee, deadline })
        })
        const { gas, hash, operation, signData } = builtOperation
        const intent: UserOperationIntent = {
          type: "USER_OPERATION",
          account: context.account,
          operation,
          hash,
          gas,
          signData
        }
        return { intent, operation: builtOperation, quotedAt, expiresAt }
      })

      return Preparations.of({
        gasTerms: (request) =>
          Effect.catchTag(builder.gasTerms(request), "GAS_TOKEN_NOT_ACCEPTED", (refusal) =>
            Effect.fail(BadRequest.of("payGasFeeToken", "gas_token_not_accepted", refusal.message))
          ),
        open: builder.open,
        prepare
      })
    })
  )
}
