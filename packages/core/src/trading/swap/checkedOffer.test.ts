import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import { type Address, HexBytes } from "../../foundation/primitives/index.ts"
import { aSimulation } from "../../operations/executions/evm.fixture.ts"
import type { AllowanceChange, TokenTransfer } from "../../operations/user-operations/index.ts"
import type { Offer, OfferRequest } from "./provider/Offer.ts"
import { RouteNotFound } from "./provider/Offer.ts"
import type { OfferRun } from "./provider/OfferRun.ts"
import { anOffer, aPool, aProvider, aSwapFixture, quote, type SwapFixture, swapLayer } from "./swap.fixture.ts"

/** 100 USDC. */
const AMOUNT = 100_000_000n
const PAYMASTER = anAddress()
const ROUTER = anAddress()

/** Creates an offer that records the simulations it checks. It rejects them if `reason` is set. */
const aCheckedOffer = (request: OfferRequest, runs: Array<OfferRun>, reason: string | null = null): Offer => {
  const offer = anOffer(request, 1_000n, { certainty: "EXPECTED" })
  return {
    ...offer,
    requoteAmount: (amountIn) => Effect.sync(() => aCheckedOffer({ ...request, amountIn }, runs, reason)),
    intent: {
      ...(offer.intent as Extract<Offer["intent"], { _tag: "Calls" }>),
      checkSimulation: (run) =>
        Effect.suspend(() => {
          runs.push(run)
          return reason === null ? Effect.void : Effect.fail(new RouteNotFound({ provider: "The checked", reason }))
        })
    }
  }
}

const requestQuote = (
  fixture: SwapFixture,
  transfers: ReadonlyArray<TokenTransfer>,
  fields: Parameters<typeof quote>[1] = {},
  { allowanceChanges = [], tokenPaid = null as bigint | null } = {} as {
    readonly allowanceChanges?: ReadonlyArray<AllowanceChange>
    readonly tokenPaid?: bigint | null
  }
) => {
  const runs: Array<OfferRun> = []
  fixture.simulate = () => Effect.succeed(aSimulation({ transfers, allowanceChanges, tokenPaid }))
  const provider = aProvider("checked", (request) => Effect.sync(() => aCheckedOffer(request, runs)))
  return Effect.as(quote(fixture, fields), runs).pipe(Effect.provide(swapLayer(fixture, [provider])))
}

const tokenTransferOf = (token: Address, from: Address, to: Address, amount: bigint): TokenTransfer => ({
  token,
  from,
  to,
  amount
})

describe("The simulation of an offer's calls", () => {
  it.effect("shows the amounts of the calls, without the other fees of the operation", () => {
    const collector = anAddress()
    const fixture = aSwapFixture()
    const { usdc, wallet, weth } = fixture
    const walletAddress = wallet.account.address
    return Effect.gen(function* () {
      const [run] = yield* requestQuote(
        fixture,
        [
          tokenTransferOf(usdc.address, walletAddress, collector, 1_000_000n),
          tokenTransferOf(usdc.address, walletAddress, ROUTER, 99_000_000n),
          tokenTransferOf(weth.address, ROUTER, walletAddress, 99_000_000n * 1_000n)
        ],
        { extraFee: { percentage: 1, toAddress: collector } }
      )
      assert.deepStrictEqual([...run!.taken], [[usdc.address, 99_000_000n]])
      assert.strictEqual(run!.arrived, 99_000_000n * 1_000n)
      assert.isNull(run!.revert)
    })
  })

  it.effect("shows every token that leaves the wallet, and the amounts that arrive at another receiver", () => {
    const fixture = aSwapFixture()
    const { nativeToken, usdc, wallet, weth } = fixture
    const [walletAddress, otherAddress] = [wallet.account.address, anAddress()]
    return Effect.gen(function* () {
      const [run] = yield* requestQuote(
        fixture,
        [
          tokenTransferOf(usdc.address, walletAddress, ROUTER, AMOUNT),
          tokenTransferOf(nativeToken.address, walletAddress, ROUTER, 7n),
          tokenTransferOf(weth.address, ROUTER, otherAddress, AMOUNT * 1_000n)
        ],
        { toAddress: otherAddress }
      )
      assert.deepStrictEqual(
        [...run!.taken],
        [
          [usdc.address, AMOUNT],
          [nativeToken.address, 7n]
        ]
      )
      assert.strictEqual(run!.arrived, AMOUNT * 1_000n)
    })
  })

  it.effect("excludes gas that a paymaster charges in the token, exactly if the simulation shows it", () => {
    const fixture = aSwapFixture()
    const { usdc, wallet, weth } = fixture
    const walletAddress = wallet.account.address
    fixture.gasTerms = {
      address: PAYMASTER,
      tokenUnitsPerNativeToken: 500_000n,
      postOpGasCharge: 0n,
      verificationGasLimit: 0n,
      postOpGasLimit: 0n,
      stubData: HexBytes.make("0x"),
      refundsFrom: null
    }
    return Effect.gen(function* () {
      const [run] = yield* requestQuote(
        fixture,
        [
          tokenTransferOf(usdc.address, walletAddress, ROUTER, AMOUNT),
          tokenTransferOf(weth.address, ROUTER, walletAddress, AMOUNT * 1_000n),
          tokenTransferOf(usdc.address, walletAddress, PAYMASTER, 1_234n)
        ],
        { payGasFeeToken: usdc.address },
        {
          tokenPaid: 1_234n,
          allowanceChanges: [
            { type: "GIVEN", token: usdc.address, spender: PAYMASTER, amount: 9_999n },
            { type: "GIVEN", token: usdc.address, spender: ROUTER, amount: AMOUNT }
          ]
        }
      )
      assert.deepStrictEqual([...run!.taken], [[usdc.address, AMOUNT]])
      assert.deepStrictEqual(
        run!.allowances.map(({ amount, spender }) => [spender, amount]),
        [[ROUTER, AMOUNT]]
      )
    })
  })

  it.effect(
    "can lead to a rejected offer: the other offers are returned, and the candidate contains the reason",
    () => {
      const fixture = aSwapFixture()
      const checkedProvider = aProvider("checked", (request) =>
        Effect.sync(() => aCheckedOffer(request, [], "it takes DAI too"))
      )
      return Effect.gen(function* () {
        const { candidates, quotes } = yield* quote(fixture)
        assert.deepStrictEqual(
          quotes.map(({ content }) => content.provider),
          ["pool"]
        )
        assert.deepStrictEqual(
          candidates.map(({ provider, refusal }) => [provider, refusal]),
          [
            ["pool", null],
            ["checked", "The checked has no route: it takes DAI too"]
          ]
        )
      }).pipe(Effect.provide(swapLayer(fixture, [aPool("pool", 900n), checkedProvider])))
    }
  )

  it.effect("may show slightly less than expected if the minimum arrives", () => {
    const fixture = aSwapFixture()
    const { usdc, wallet, weth } = fixture
    const walletAddress = wallet.account.address
    return Effect.gen(function* () {
      const runs = yield* requestQuote(fixture, [
        tokenTransferOf(usdc.address, walletAddress, ROUTER, AMOUNT),
        tokenTransferOf(weth.address, ROUTER, walletAddress, AMOUNT * 1_000n - 5n)
      ])
      assert.strictEqual(runs[0]!.arrived, AMOUNT * 1_000n - 5n)
    })
  })
})
