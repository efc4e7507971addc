import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { aFiatQuote } from "@countersign/core/contracts/fiat/provider/FiatProvider"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { linkedIndividual, providerCustomersWith } from "../../../test/fiat/linksTo.ts"
import { close, listen } from "../../../test/support/localServer.ts"
import { makeBlindPay } from "./BlindPayProvider.ts"

const REQUESTED_CENTS = 54_100n

const { chainId, currency, method, token, walletAddress } = aFiatQuote()
const request = {
  ...linkedIndividual,
  direction: "DEPOSIT",
  method,
  currency,
  token,
  chainId,
  walletAddress,
  amount: REQUESTED_CENTS
} as const

/** Returns BlindPay's quote for the request, with this amount that the payer sends. */
const quoteWith = Effect.fnUntraced(function* (senderAmount: bigint) {
  const responses: Readonly<Record<string, object>> = {
    "GET blockchain-wallets": [{ id: "bw_1", address: walletAddress, network: "base" }],
    "POST payin-quotes": {
      id: "pq_1",
      expires_at: Date.now() + 300_000,
      sender_amount: Number(senderAmount),
      receiver_amount: 10_000
    }
  }
  const server = createServer((incoming, response) => {
    incoming.resume()
    response.writeHead(200).end(JSON.stringify(responses[`${incoming.method} ${incoming.url?.split("/").at(-1)}`]))
  })
  yield* listen(server)
  yield* Effect.addFinalizer(() => close(server))
  const { port } = server.address() as AddressInfo
  const provider = makeBlindPay(
    {
      url: `http://127.0.0.1:${port}`,
      apiKey: Redacted.make("a key"),
      instanceId: "in_1",
      hasTerms: false,
      webhookSecret: null
    },
    providerCustomersWith("cu_1"),
    () => Effect.succeed(null)
  )
  return yield* provider.quote(request)
})

describe("BlindPay's quote of a deposit", () => {
  it.live("is rejected unless it is for the requested amount", () =>
    Effect.gen(function* () {
      const offer = yield* quoteWith(REQUESTED_CENTS)
      assert.deepStrictEqual([offer.fiatAmount, offer.tokenAmount], [REQUESTED_CENTS, 100_000_000n])
      for (const senderAmount of [0n, 1n, REQUESTED_CENTS - 1n, REQUESTED_CENTS + 1n])
        assert.strictEqual((yield* Effect.flip(quoteWith(senderAmount)))._tag, "FIAT_REFUSAL")
    })
  )
})
