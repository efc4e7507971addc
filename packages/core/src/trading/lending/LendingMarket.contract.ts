import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { Address } from "../../foundation/primitives/index.ts"
import type { Token } from "../../foundation/tokens/index.ts"
import { type LendingLegs, LendingMarkets, type LendingTerms } from "./LendingMarket.ts"
import type { LendingProviderId } from "./LendingRequest.ts"

export interface LendingMarketSample {
  readonly provider: LendingProviderId
  readonly chainId: LendingTerms["chainId"]
  /** A token that is accepted as collateral, and a token that can be borrowed against it. */
  readonly collateral: Token
  readonly loan: Token
}

/** Contract tests that every `LendingMarket` must pass, with a wallet that has no tokens and no positions. */
export const lendingMarketContract = <E>(
  name: string,
  layer: Layer.Layer<LendingMarkets, E>,
  { chainId, collateral, loan, provider }: LendingMarketSample
) =>
  withLayer(layer, { excludeTestServices: true })(`LendingMarket: ${name}`, (it) => {
    const findMarket = LendingMarkets.use(({ providers }) =>
      Effect.succeed(providers.find(({ id }) => id === provider)!)
    )
    // Not a low address, because precompiled contracts have low addresses.
    const wallet = Address.make(`0x${"a3".repeat(20)}`)
    const legOf = (token: Token, amount: bigint | "MAX") => ({ token, amount, marketId: null, side: null })
    const requestOffer = (legs: LendingLegs) =>
      Effect.flatMap(findMarket, ({ offer: requestOffer }) => requestOffer({ chainId, account: wallet, legs }))
    const bothLegs = { supply: legOf(collateral, 1_000_000n), borrow: legOf(loan, 1_000n) }

    it.effect("approves exactly the supplied amount, and calls one contract", () =>
      Effect.gen(function* () {
        const { buildCalls: calls, contract } = yield* requestOffer(bothLegs)
        const [approval, ...others] = calls(bothLegs, 0n)
        assert.strictEqual(approval!.to, collateral.address)
        assert.isTrue(approval!.data.endsWith(1_000_000n.toString(16).padStart(64, "0")))
        assert.deepStrictEqual(
          others.map(({ to }) => to),
          [contract, contract]
        )
        assert.isTrue(calls(bothLegs, 0n).every(({ value }) => value === 0n))
      })
    )

    it.effect(
      "revokes the remaining allowance after repaying a complete debt, whose amount is not known in advance",
      () =>
        Effect.gen(function* () {
          const legs = { repay: legOf(loan, "MAX") }
          const { buildCalls: calls } = yield* requestOffer(legs)
          const revokingCall = calls(legs, 0n).at(-1)!
          assert.strictEqual(revokingCall.to, loan.address)
          assert.isTrue(revokingCall.data.endsWith("0".repeat(64)))
        })
    )

    it.effect("reports why the calls revert, without figures after them", () =>
      Effect.gen(function* () {
        const legs = { borrow: legOf(loan, 1_000n) }
        const {
          buildCalls: calls,
          conflictsOf: conflicts,
          simulateOutcome: outcome
        } = yield* requestOffer({
          ...legs,
          borrow: { ...legs.borrow, marketId: (yield* requestOffer(bothLegs)).marketId }
        })
        const { after, before } = yield* outcome(calls(legs, 0n))
        assert.isNull(after)
        assert.isNull(before.healthFactorE18)
        assert.match(conflicts(legs).join(" "), /no collateral/u)
      })
    )

    it.effect("rejects a token without a market, and lists the tokens that have one", () =>
      Effect.gen(function* () {
        const unknownToken = { ...loan, address: Address.make(`0x${"12".repeat(20)}`), symbol: "NONE" }
        const error = yield* Effect.flip(requestOffer({ supply: legOf(unknownToken, 1n) }))
        assert.strictEqual(error._tag, "BAD_REQUEST")
        assert.include(error.message, loan.symbol)
      })
    )

    it.effect("lists markets with consistent ratios, and returns no positions for a wallet without any", () =>
      Effect.gen(function* () {
        const { listMarkets: markets, listPositions: positions } = yield* findMarket
        const marketList = yield* markets(chainId)
        assert.isNotEmpty(marketList.filter(({ collateralToken }) => collateralToken === collateral.address))
        for (const { available, borrowed, liquidationThresholdE18, ltvE18, supplied } of marketList) {
          assert.isTrue(ltvE18 <= liquidationThresholdE18)
          assert.isTrue(borrowed <= supplied && available <= supplied)
        }
        assert.deepStrictEqual(yield* positions(chainId, wallet), [])
      })
    )

    it.effect("returns no liquidations for wallets that were not liquidated", () =>
      Effect.gen(function* () {
        const { listLiquidations: liquidations } = yield* findMarket
        const list = yield* liquidations({ chainId, accounts: [wallet], fromBlock: 0n, toBlock: 3n })
        assert.deepStrictEqual(list, [])
      })
    )
  })
