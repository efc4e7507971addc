import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { aFiatQuote } from "../orders/FiatOrder.fixture.ts"
import type { FiatProvider } from "../provider/FiatProvider.ts"
import { servingProviders } from "./servingProviders.ts"

const { chainId, individualId, walletAddress } = aFiatQuote()
const dieUnused = () => Effect.die("unused")

const providerWith = (name: string, symbols: ReadonlyArray<string>): FiatProvider => ({
  name,
  routes: [{ direction: "DEPOSIT", method: "PIX", chainIds: [8453], symbols }],
  customers: { serves: () => false, termsLink: null, register: dieUnused },
  quote: dieUnused,
  openDeposit: dieUnused,
  bindWithdrawal: dieUnused,
  submitWithdrawal: dieUnused,
  readCallback: () => ({ _tag: "Refused", reason: "none" }),
  readOrderReport: dieUnused
})

const providers = [providerWith("first", ["USDC"]), providerWith("second", ["USDC", "USDT"])]
const request = { paymentMethod: { type: "PIX" }, chainId, individualId, walletAddress } as const

const servingNames = (
  { currency = "BRL", token = "USDC", ...changes }: { currency?: string; token?: string; chainId?: 1 } = {},
  direction: "DEPOSIT" | "WITHDRAWAL" = "DEPOSIT",
  candidates = providers
) =>
  Result.match(
    servingProviders(
      candidates,
      direction,
      { ...request, ...changes },
      { currency: { path: "from.currency", code: currency }, token: { path: "to.currency", code: token } }
    ),
    { onSuccess: (serving) => serving.map(({ name }) => name).join(), onFailure: ({ message }) => message }
  )

describe("the providers of a quote", () => {
  it("are the providers with a route for the quote's direction, method, chain and token, in order", () => {
    assert.strictEqual(servingNames(), "first,second")
    assert.strictEqual(servingNames({ token: "USDT" }), "second")
  })

  it("are listed with their routes in the error if none serves the request", () => {
    assert.match(servingNames({ currency: "USD" }), /PIX transfers only BRL/u)
    assert.match(servingNames({ token: "EURC" }), /Expected one of USDC, USDT/u)
    assert.match(servingNames({ chainId: 1 }), /on chain 1\. Served: PIX on 8453\./u)
    assert.match(servingNames({}, "WITHDRAWAL"), /No fiat provider is configured/u)
    assert.match(servingNames({}, "DEPOSIT", []), /No fiat provider is configured/u)
  })
})
