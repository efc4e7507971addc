import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { Address } from "../../../foundation/primitives/index.ts"
import { type Offer, type OfferRequest, type OfferTerms, type SwapProvider, SwapProviders } from "./Offer.ts"

export interface SwapProviderSample {
  /** A swap for which the provider has an offer. */
  readonly request: OfferRequest
  /** A swap for which the provider has no offer. */
  readonly impossible: OfferRequest
  /** Set if the calls do not contain the requested deadline, because they compute it during the execution. */
  readonly takesItsTimeFromTheBlock?: true
  /**
   * False if the calls do not contain the exact minimum output, but a fraction of the amount. The enforced minimum can
   * then slightly exceed the requested one.
   */
  readonly minIsExact?: false
  /** Unix seconds. Only for offers that are valid for a few minutes. */
  readonly deadline?: number
}

/**
 * Returns the parts of an offer that depend on the terms: its calls, the outputs of its Bitcoin payment, or the types
 * of its intents.
 */
const signedText = ({ intent }: Offer, terms: OfferTerms) =>
  intent._tag === "Calls"
    ? Effect.map(intent.buildCalls(terms), (calls) => calls.map(({ data, to, value }) => `${to} ${value} ${data}`))
    : intent._tag === "BitcoinPayment"
      ? Effect.map(intent.buildPayment(terms), ({ outputs }) =>
          outputs.map(({ script, value }) => `${script} ${value}`)
        )
      : Effect.map(intent.buildIntents(terms, []), (intents) => intents.map(({ type }) => type))

/** Contract tests that every `SwapProvider` must pass. */
export const swapProviderContract = <E>(
  name: string,
  layer: Layer.Layer<SwapProviders, E>,
  sample: SwapProviderSample
) =>
  withLayer(layer, { excludeTestServices: true })(`SwapProvider: ${name}`, (it) => {
    const firstProvider = Effect.map(SwapProviders, ([provider]): SwapProvider => provider!)
    const sampleOffer = Effect.flatMap(firstProvider, (provider) => provider.offer(sample.request))
    const terms: OfferTerms = {
      sender: Address.make(`0x${"aa".repeat(20)}`),
      signer: Address.make(`0x${"cc".repeat(20)}`),
      recipient: Address.make(`0x${"bb".repeat(20)}`),
      minAmountOut: 0xabcdef0123n,
      deadline: sample.deadline ?? 2_000_000_000
    }

    it.effect("offers exactly the requested tokens and amount", () =>
      Effect.gen(function* () {
        const { tokenIn, tokenOut } = sample.request
        const market = { chainIdIn: tokenIn.chainId, chainIdOut: tokenOut.chainId, isLimitOrder: false }
        assert.isTrue((yield* firstProvider).serves(market))
        const offer = yield* sampleOffer
        assert.strictEqual(offer.amountIn, sample.request.amountIn)
        assert.deepStrictEqual([offer.tokenIn, offer.tokenOut], [tokenIn, tokenOut])
        assert.isTrue(offer.amountOut > 0n)
        assert.isAbove(offer.executionSeconds, 0)
      })
    )

    it.effect("connects the hops of each part, and the parts add up to the offer's amounts", () =>
      Effect.gen(function* () {
        const { amountIn, amountOut, route } = yield* sampleOffer
        for (const { hops } of route) {
          for (const [i, hop] of hops.entries()) {
            if (i > 0) assert.strictEqual(hop.tokenIn, hops[i - 1]!.tokenOut)
          }
        }
        if (route.length > 0) {
          const sumOf = (amounts: ReadonlyArray<bigint>) => amounts.reduce((a, b) => a + b, 0n)
          assert.strictEqual(sumOf(route.map((part) => part.amountIn)), amountIn)
          assert.strictEqual(sumOf(route.map((part) => part.amountOut)), amountOut)
        }
      })
    )

    it.effect("returns the same offer for another amount on the same state", () =>
      Effect.gen(function* () {
        const offer = yield* sampleOffer
        assert.strictEqual((yield* offer.requoteAmount(offer.amountIn)).amountOut, offer.amountOut)
        const halfOffer = yield* offer.requoteAmount(offer.amountIn / 2n)
        assert.strictEqual(halfOffer.blockNumber, offer.blockNumber)
        assert.strictEqual(halfOffer.amountIn, offer.amountIn / 2n)
        assert.isTrue(halfOffer.amountOut < offer.amountOut && halfOffer.amountOut > 0n)
      })
    )

    it.effect("returns offers that can be copied", () =>
      Effect.gen(function* () {
        const offer = yield* sampleOffer
        const copy = { ...offer, route: [...offer.route], note: "cached" }
        const halfOffers = yield* Effect.forEach([offer, copy], ({ requoteAmount: forAmount }) =>
          forAmount(offer.amountIn / 2n)
        )
        assert.strictEqual(halfOffers[0]!.amountOut, halfOffers[1]!.amountOut)
        const [originalText, copyText] = yield* Effect.forEach([offer, copy], (each) => signedText(each, terms))
        assert.deepStrictEqual(originalText, copyText)
      })
    )

    it.effect("builds calls with the recipient, the minimum output and the deadline", () =>
      Effect.gen(function* () {
        const { intent } = yield* sampleOffer
        if (intent._tag !== "Calls") return
        const calls = yield* intent.buildCalls(terms)
        const data = calls.map((call) => call.data).join("")
        assert.include(data, terms.recipient.slice(2))
        if (sample.minIsExact !== false) assert.include(data, terms.minAmountOut.toString(16))
        if (sample.takesItsTimeFromTheBlock === undefined) assert.include(data, terms.deadline.toString(16))
        assert.isTrue(calls.every(({ summary }) => summary !== ""))
      })
    )

    it.effect("returns less for the same amount after the same swap was executed", () =>
      Effect.gen(function* () {
        const offer = yield* sampleOffer
        if (offer.requestFollowUp === null) return
        const secondOffer = yield* offer.requestFollowUp(sample.request)
        assert.strictEqual(secondOffer.amountIn, offer.amountIn)
        assert.isTrue(secondOffer.amountOut < offer.amountOut)
      })
    )

    it.effect("fails with the reason if it has no offer", () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip((yield* firstProvider).offer(sample.impossible))
        assert.strictEqual(error._tag, "ROUTE_NOT_FOUND")
        assert.isNotEmpty(error.message)
      })
    )
  })
