import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { aFiatQuote } from "../orders/FiatOrder.fixture.ts"
import type { FiatDirection } from "../orders/orderStates.ts"
import { type FiatOffer, type FiatProvider, type FiatProviderRequest, FiatRefusal } from "../provider/FiatProvider.ts"
import { chooseProvider } from "./providerChoice.ts"

const storedQuote = aFiatQuote()

const requestOf = (direction: FiatDirection): FiatProviderRequest => ({
  projectId: storedQuote.projectId,
  direction,
  method: "PIX",
  currency: "BRL",
  token: storedQuote.token,
  chainId: storedQuote.chainId,
  walletAddress: storedQuote.walletAddress,
  individualId: storedQuote.individualId,
  amount: 10_000n
})

const unexpectedCall = () => Effect.die("not requested here")

const providerWith = (name: string, quote: FiatProvider["quote"]): FiatProvider => ({
  name,
  routes: [],
  customers: { serves: () => false, termsLink: null, register: () => Effect.die("not asked") },
  quote,
  openDeposit: unexpectedCall,
  bindWithdrawal: unexpectedCall,
  submitWithdrawal: unexpectedCall,
  readCallback: () => ({ _tag: "Refused", reason: "none" }),
  readOrderReport: unexpectedCall
})

const offeringProvider = (name: string, tokenAmount: bigint, fiatAmount: bigint) =>
  providerWith(name, () => {
    const offer: FiatOffer = { ...storedQuote, tokenAmount, fiatAmount, fees: [] }
    return Effect.succeed(offer)
  })

const downProvider = (name: string) =>
  providerWith(name, () => Effect.fail(new UpstreamUnavailable({ upstream: name, reason: "status 503" })))
const refusingProvider = (name: string) =>
  providerWith(name, () => Effect.fail(new FiatRefusal({ provider: name, reason: "too little" })))

const chosenNameOf = (direction: FiatDirection, first: FiatProvider, ...others: ReadonlyArray<FiatProvider>) =>
  Effect.map(chooseProvider([first, ...others], requestOf(direction)), ({ chosen }) =>
    Result.match(chosen, {
      onSuccess: (one) => one.provider.name,
      onFailure: ({ message }) => message
    })
  )

describe("the choice of a provider", () => {
  it.effect("rejects an offer with an amount of zero, and prefers a provider with a higher output", () =>
    Effect.gen(function* () {
      const emptyProvider = offeringProvider("nothing", 0n, 0n)
      for (const direction of ["DEPOSIT", "WITHDRAWAL"] as const) {
        for (const provider of [emptyProvider, offeringProvider("free", 0n, 1n), offeringProvider("free", 1n, 0n)])
          assert.include(yield* chosenNameOf(direction, provider), "Request a larger amount")
        assert.strictEqual(
          yield* chosenNameOf(direction, emptyProvider, offeringProvider("something", 1n, 1n)),
          "something"
        )
      }
    })
  )

  it.effect(
    "is the provider with the highest token amount for a deposit, and the highest payout for a withdrawal",
    () =>
      Effect.gen(function* () {
        const [tokens, money] = [offeringProvider("tokens", 2n, 100n), offeringProvider("money", 1n, 101n)]
        for (const [first, second] of [
          [tokens, money],
          [money, tokens]
        ] as const) {
          assert.strictEqual(yield* chosenNameOf("DEPOSIT", first, second), "tokens")
          assert.strictEqual(yield* chosenNameOf("WITHDRAWAL", first, second), "money")
        }
      })
  )

  it.effect("is the first provider if offers are equal", () =>
    Effect.gen(function* () {
      const equal = [offeringProvider("a", 5n, 5n), offeringProvider("b", 5n, 5n)] as const
      assert.strictEqual(yield* chosenNameOf("DEPOSIT", ...equal), "a")
      assert.strictEqual(yield* chosenNameOf("WITHDRAWAL", equal[1], equal[0]), "b")
    })
  )

  it.effect("skips providers that are unavailable or reject the request, and reports them", () =>
    Effect.gen(function* () {
      const { candidates, chosen } = yield* chooseProvider(
        [downProvider("a"), offeringProvider("b", 7n, 8n), refusingProvider("c")],
        requestOf("DEPOSIT")
      )
      assert.strictEqual(Result.getOrThrow(chosen).provider.name, "b")
      assert.deepStrictEqual(
        candidates.map(({ amount, provider: name }) => [name, amount]),
        [
          ["a", null],
          ["b", 7n],
          ["c", null]
        ]
      )
      assert.match(candidates[0]!.refusal!, /status 503/u)
      assert.isNull(candidates[1]!.refusal)
      assert.match(candidates[2]!.refusal!, /too little/u)
    })
  )

  it.effect("fails with a rejection rather than an outage if no provider makes an offer", () =>
    Effect.gen(function* () {
      assert.match(yield* chosenNameOf("DEPOSIT", downProvider("a"), refusingProvider("b")), /^b: too little/u)
      assert.match(yield* chosenNameOf("DEPOSIT", refusingProvider("b"), downProvider("a")), /^b: too little/u)
      assert.match(yield* chosenNameOf("DEPOSIT", downProvider("a"), downProvider("b")), /a.*503/u)
    })
  )
})
