import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../foundation/primitives/index.ts"
import { aWallet } from "../../wallets/registry/Wallet.fixture.ts"
import type { Offer, OfferRequest, SwapProvider } from "../swap/index.ts"
import { aToken } from "../swap/swap.fixture.ts"
import type { BatchOrder, BatchStep } from "./batchOrders.ts"
import { planBatch } from "./batchPlan.ts"

const [usdc, weth] = [aToken("USDC"), aToken("WETH")]
const wallet = aWallet()

/**
 * Creates the offer of a constant-product pool of two tokens with these reserves. `afterwards` returns an offer for the
 * reserves after the swap.
 */
const offerOn = (reserves: readonly [bigint, bigint], request: OfferRequest, counter: { offers: number }): Offer => {
  counter.offers += 1
  const isSale = request.tokenIn === usdc
  const [x, y] = isSale ? reserves : [reserves[1], reserves[0]]
  const amountOut = (y * request.amountIn) / (x + request.amountIn)
  const balancesAfter = isSale
    ? ([x + request.amountIn, y - amountOut] as const)
    : ([y - amountOut, x + request.amountIn] as const)
  return {
    ...request,
    amountOut,
    certainty: "EXACT",
    blockNumber: 1n,
    route: [{ amountIn: request.amountIn, amountOut, hops: [] }],
    fees: [],
    executionSeconds: 1,
    stages: [],
    requoteAmount: (amountIn) => Effect.sync(() => offerOn(reserves, { ...request, amountIn }, counter)),
    requestFollowUp: (next) => Effect.sync(() => offerOn(balancesAfter, next, counter)),
    intent: {
      _tag: "Calls",
      buildCalls: ({ deadline, minAmountOut }) =>
        Effect.succeed([
          {
            to: usdc.address,
            value: 0n,
            data: HexBytes.make(`0x${minAmountOut.toString(16).padStart(64, "0")}`),
            summary: `${request.amountIn} until ${deadline}`
          }
        ])
    }
  }
}
const provider = { id: "A", name: "A pool" } as SwapProvider

const Kinds = Schema.Array(
  Schema.Struct({
    kind: Schema.Literals(["sale", "purchase", "transfer"]),
    amount: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 10_000n, maximum: 10_000_000n })),
    isDeducted: Schema.Boolean
  })
).check(Schema.isMinLength(1), Schema.isMaxLength(12))

const Plans = Schema.Array(
  Schema.Struct({
    maxGasFee: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 3n })),
    deadline: Schema.Literals([1_000, 2_000])
  })
).check(Schema.isMinLength(1), Schema.isMaxLength(6))

const orderOf = (steps: typeof Kinds.Type): BatchOrder => {
  const toAddress = anAddress()
  const stepOf = ({ amount, isDeducted, kind }: (typeof steps)[number]): BatchStep => {
    const tokenIn = kind === "purchase" ? weth : usdc
    const type = kind === "transfer" ? "transfer" : "swap"
    const gasFeePaymentMethod = isDeducted ? "DEDUCT_FROM_AMOUNT" : "ADD_TO_AMOUNT"
    return {
      operation: { type, params: { gasFeePaymentMethod, slippage: 0.5 } } as unknown as BatchStep["operation"],
      tokenIn,
      tokenOut: kind === "transfer" ? null : kind === "sale" ? weth : usdc,
      amount,
      toAddress,
      fees: { transactionFeePercent: 0.3 }
    }
  }
  const collectors = { treasury: anAddress(), operatorTreasury: null, operatorSharePercent: 0 }
  return { wallet, collectors, payGasFeeToken: usdc, steps: steps.map(stepOf) } as unknown as BatchOrder
}

/** Serializes a value without its functions, because functions can't be compared. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, nestedValue) => (typeof nestedValue === "bigint" ? `${nestedValue}n` : nestedValue))

describe("planBatch", () => {
  it.effect("rejects calls that can be verified only in a single swap", () =>
    Effect.gen(function* () {
      const order = orderOf([{ kind: "sale", amount: 10_000n, isDeducted: false }])
      const request = { tokenIn: usdc, tokenOut: weth, amountIn: 10_000n, limit: null }
      const offer = offerOn([10n ** 9n, 10n ** 9n], request, { offers: 0 })
      const checkedOffer = { ...offer, intent: { ...offer.intent, checkSimulation: () => Effect.void } } as Offer
      const firstOffer: Offer = { ...checkedOffer, requoteAmount: () => Effect.succeed(checkedOffer) }
      const error = yield* Effect.flip(planBatch(order, provider, firstOffer)({ maxGasFee: 0n, deadline: 1_000 }))
      assert.match(
        error.message,
        /operations\[0\]: A pool has no route: its calls can be verified only in a single swap, not in a batch/u
      )
    })
  )

  it.effect.prop("plans the same as without earlier plans", [Kinds, Plans], ([kinds, plans]) =>
    Effect.gen(function* () {
      const order = orderOf(kinds)
      const swap = order.steps.find(({ tokenOut }) => tokenOut !== null)
      const count = { offers: 0 }
      const firstOffer =
        swap === undefined
          ? null
          : offerOn(
              [10n ** 9n, 10n ** 9n],
              { tokenIn: swap.tokenIn, tokenOut: swap.tokenOut!, amountIn: swap.amount, limit: null },
              count
            )
      const runPlan = planBatch(order, provider, firstOffer)
      for (const terms of plans) {
        assert.strictEqual(textOf(yield* runPlan(terms)), textOf(yield* planBatch(order, provider, firstOffer)(terms)))
      }
      const swapCount = kinds.filter(({ kind }) => kind !== "transfer").length
      count.offers = 0
      yield* runPlan(plans.at(-1)!)
      assert.strictEqual(count.offers, 0, `${swapCount} swaps are planned again`)
    })
  )
})
