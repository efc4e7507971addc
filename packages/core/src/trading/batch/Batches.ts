import { Context, Effect, Layer } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { IndividualVerificationRequired } from "../../foundation/tokens/index.ts"
import { Preparations, type QuoteRefusal } from "../../operations/quotes/index.ts"
import type { Project } from "../../tenancy/projects/index.ts"
import { SwapProviders, SwapQuoteUnavailable } from "../swap/index.ts"
import { type BatchQuote, batchKind } from "./BatchContent.ts"
import type { BatchRequest } from "./BatchRequest.ts"
import { batchContentOf, expectedBatchMovements, toBatchDetails } from "./batchContentOf.ts"
import { type BatchOrder, type BatchStep, batchOrders } from "./batchOrders.ts"
import { type BatchPlan, planBatch } from "./batchPlan.ts"
import { BatchElementUnavailable } from "./errors.ts"

type BatchError =
  | Exclude<QuoteRefusal, UpstreamUnavailable>
  | IndividualVerificationRequired
  | SwapQuoteUnavailable
  | BatchElementUnavailable

const callGasOf = (steps: ReadonlyArray<BatchStep>): bigint =>
  steps.reduce((gas, { tokenOut }) => gas + (tokenOut === null ? 80_000n : 400_000n), 100_000n)

/** Quotes batches: transfers and swaps that run atomically in one operation. */
export class Batches extends Context.Service<
  Batches,
  {
    /**
     * Prepares and stores a batch. The caller executes it by its hash. If several errors apply, the first one in this
     * list is returned:
     * - a violation of the request schema, or a chain that is not served
     * - the wallet is not registered
     * - a token is not listed
     * - a swap of a real-world asset, which a batch does not support
     * - all other problems of the request
     * - too much unpaid gas
     * - a gas token that no paymaster accepts
     * - a swap without a quote
     */
    readonly quote: (project: Project, request: BatchRequest) => Effect.Effect<BatchQuote, BatchError>
  }
>()("@countersign/core/batch/Batches") {
  static readonly layer = Layer.effect(
    Batches,
    Effect.gen(function* () {
      const resolve = yield* batchOrders
      const providers = yield* SwapProviders
      const preparations = yield* Preparations

      /** Returns the provider and its offer for the first swap. Both are null if the batch has no swap. */
      const firstOffer = Effect.fnUntraced(function* ({ request, steps }: BatchOrder) {
        const index = steps.findIndex(({ tokenOut }) => tokenOut !== null)
        const step = steps[index]
        if (step === undefined || step.tokenOut === null) return { provider: null, offer: null }
        const { chainId } = request
        const market = { chainIdIn: chainId, chainIdOut: chainId, isLimitOrder: false }
        const provider = providers.find((candidate) => candidate.serves(market))
        if (provider === undefined) {
          return yield* new BatchElementUnavailable({ index, reason: "no provider supports this chain" })
        }
        const { amount: amountIn, tokenIn, tokenOut } = step
        const offer = yield* Effect.mapError(
          provider.offer({ tokenIn, tokenOut, amountIn, limit: null }),
          (error) => new BatchElementUnavailable({ index, reason: error.message })
        )
        return { provider, offer }
      })

      const quote = Effect.fn("Batches.quote")(
        function* (project: Project, input: BatchRequest) {
          const order = yield* resolve(project, input)
          const { payGasFeeToken, request, steps, wallet } = order
          const { chainId, metadata } = request
          const pricedTokens = [
            payGasFeeToken,
            ...steps.flatMap(({ tokenIn, tokenOut }) => [tokenIn, tokenOut ?? tokenIn])
          ]
          return yield* preparations.quote(
            { project, wallet, chainId, payGasFeeToken, spent: steps.map(({ tokenIn }) => tokenIn) },
            {
              kind: batchKind,
              readData: Effect.all(
                { first: firstOffer(order), prices: preparations.readPrices(chainId, pricedTokens) },
                { concurrency: 2 }
              ),
              prepare: ({ first: { offer, provider } }) => ({
                callGas: callGasOf(steps),
                preVerificationGas: 60_000n + 8_000n * BigInt(steps.length),
                plan: planBatch(order, provider, offer),
                listSpentAmounts: ({ elements }: BatchPlan) =>
                  elements.map(({ split }, i) => ({
                    token: steps[i]!.tokenIn,
                    amount: steps[i]!.amount - split.gasFee
                  }))
              }),
              readExtraData: () => Effect.void,
              respond: ({ featureData: { prices }, prepared }) =>
                Effect.succeed({
                  type: "BATCH",
                  content: batchContentOf(order, prepared, prices),
                  expected: expectedBatchMovements(order, prepared.plan, prices),
                  details: toBatchDetails(prepared.plan),
                  metadata
                })
            }
          )
        },
        Effect.catchTag("UPSTREAM_UNAVAILABLE", (error) =>
          Effect.fail(new SwapQuoteUnavailable({ reason: error.message }))
        )
      )

      return Batches.of({ quote })
    })
  )
}
