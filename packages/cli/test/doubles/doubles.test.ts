import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { SandboxFile } from "@countersign/adapters/storage/home"
import { Hash32 } from "@countersign/core/foundation/primitives"
import { type Client, createClient, type LocalSigner, signQuote } from "@countersign/http/client"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { privateKeyToAccount } from "viem/accounts"
import { waitUntil } from "../../../core/test/support/until.ts"
import { startWebhookReceiver } from "../../../http/test/support/webhookReceiver.ts"
import { type Json, jsonOf, removeHome, runHere, temporaryHome } from "../support/commandLine.ts"
import { BITCOIN_WALLET, contextOf, makeDoubles, startSandboxWith } from "./world.ts"

/**
 * Tests operation types that are added as extensions: a bridge, an order book, Bitcoin and a bank. Each runs from the
 * request to its end through all shared code. The shared code does not refer to any of them: a list of extensions adds
 * them.
 */

const home = temporaryHome()
const { bank, book: orderBook, bridge, extensions, network } = makeDoubles()
const context = contextOf(extensions)

let sandbox: Awaited<ReturnType<typeof startSandboxWith>>
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
let file: SandboxFile
let client: Client

beforeAll(async () => {
  sandbox = await startSandboxWith(home, extensions)
  receiver = await startWebhookReceiver()
  file = JSON.parse(readFileSync(join(home, "sandbox.json"), "utf8"))
  client = createClient({ url: sandbox.baseUrl, apiKey: sandbox.apiKey })
  await client.webhooks.create({ url: receiver.url("/events"), eventTypes: ["transaction.*"] })
})
afterAll(async () => {
  await sandbox.stop()
  receiver.stop()
  removeHome(home)
})

const sendRequest = async (
  method: string,
  path: string,
  body?: unknown
): Promise<{ readonly status: number; readonly body: Json }> => {
  const response = await fetch(sandbox.baseUrl + path, {
    method,
    headers: { "x-api-key": sandbox.apiKey, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return { status: response.status, body: await response.json() }
}

/** Advances the sandbox's clock, so that the test does not wait for the next check of an execution. */
const advance = (advanceSeconds: number) =>
  fetch(`${file.gatewayUrl}/clock`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ advanceSeconds })
  })

const readLatestBlock = async (chainId: number) => {
  const { rpcUrl } = file.chains.find(({ id }) => id === chainId)!
  const response = await fetch(rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_getBlockByNumber", params: ["latest", false] })
  })
  const { result } = (await response.json()) as { readonly result: { readonly number: string; readonly hash: string } }
  return { number: BigInt(result.number), hash: Hash32.make(result.hash) }
}

const aHash = () => Hash32.make(`0x${randomBytes(32).toString("hex")}`)

const waitForStatus = (transactionId: string, status: string) =>
  waitUntil(
    () => client.history.get(transactionId),
    (transaction) => transaction.status === status
  )

type SignableQuote = Parameters<typeof signQuote>[0]

interface Kind {
  readonly name: string
  readonly type: string
  readonly walletAddress: () => string
  readonly quote: () => Promise<SignableQuote>
  /** The expected signature methods. */
  readonly methods: ReadonlyArray<string>
  /** Performs the part of an execution that is outside the service, and waits until the execution has ended. */
  readonly finish: (quoteId: string, transactionId: string) => Promise<unknown>
  /** The types of the reported events, in order. */
  readonly events: ReadonlyArray<string>
}

const token = (chainId: number, symbol: string) => file.tokens[String(chainId)]![symbol]!
const smartWallet = () => file.wallets[0]!.walletAddress
const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"

const swapOf = (fields: Record<string, unknown>) => ({
  walletAddress: smartWallet(),
  toAddress: smartWallet(),
  chainIdIn: 1,
  chainIdOut: 1,
  tokenIn: token(1, "USDC"),
  tokenOut: token(1, "WETH"),
  amountIn: "100",
  payGasFeeToken: NATIVE,
  gasFeePaymentMethod: "ADD_TO_AMOUNT",
  ...fields
})

/**
 * Requests a quote of this provider. With the default route profile, the service would return quotes before a slow
 * provider responds.
 */
const quoteSwap = async (provider: string, fields: Record<string, unknown>): Promise<SignableQuote> => {
  const { body, status } = await sendRequest(
    "POST",
    "/api/v1/crypto/swap",
    swapOf({ routeProfile: "BEST_OUTPUT", ...fields })
  )
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.quotes.find(({ swapProvider }: Record<string, unknown>) => swapProvider === provider)
}

const kinds: ReadonlyArray<Kind> = [
  {
    name: "a bridge",
    type: "CROSS_SWAP",
    walletAddress: smartWallet,
    quote: () => quoteSwap("bridge", { chainIdOut: 10, tokenOut: token(10, "USDC") }),
    methods: ["personal_sign"],
    finish: async (_quoteId, transactionId) => {
      const depositedTransaction = await waitForStatus(transactionId, "ON_BRIDGE")
      assert.isNull(depositedTransaction.executedAt)
      bridge.fills.set(depositedTransaction.transactionHash!.hash, {
        hash: aHash(),
        block: await readLatestBlock(10),
        amount: 99_000_000n
      })
      await advance(10)
    },
    events: ["transaction.created", "transaction.updated", "transaction.completed"]
  },
  {
    name: "an order book",
    type: "LIMIT_ORDER",
    walletAddress: smartWallet,
    quote: () => quoteSwap("book", { minAmountOut: "0.05", expiration: 600 }),
    methods: ["eth_signTypedData_v4"],
    finish: async () => {
      const order = await waitUntil(
        () => [...orderBook.orders.values()].find(({ status }) => status === "OPEN"),
        (openOrder) => openOrder !== undefined
      )
      order!.fills = [
        { hash: aHash(), block: await readLatestBlock(1), soldAmount: 100_000_000n, boughtAmount: 5n * 10n ** 16n }
      ]
      order!.status = "FILLED"
      await advance(15)
    },
    events: ["transaction.created", "transaction.completed"]
  },
  {
    name: "a Bitcoin network",
    type: "CROSS_SWAP",
    walletAddress: () => BITCOIN_WALLET,
    quote: () =>
      quoteSwap("bitcoin", {
        walletAddress: BITCOIN_WALLET,
        chainIdIn: 0,
        tokenIn: NATIVE,
        tokenOut: token(1, "USDC"),
        amountIn: "0.001"
      }),
    methods: ["sign_psbt"],
    finish: async () => {
      const pendingTransaction = await waitUntil(
        () => [...network.transactions].find(([, block]) => block === null),
        (transaction) => transaction !== undefined
      )
      const [txid] = pendingTransaction!
      network.height += 10n
      network.transactions.set(txid, { number: network.height, hash: aHash() })
      await advance(61)
    },
    events: ["transaction.created", "transaction.updated", "transaction.completed"]
  },
  {
    name: "a bank",
    type: "FIAT_DEPOSIT",
    walletAddress: smartWallet,
    quote: async () => {
      const request = { walletAddress: smartWallet(), currency: "BRL", amount: "100000" }
      const { body, status } = await sendRequest("POST", "/api/v1/bank/deposits", request)
      assert.strictEqual(status, 201, JSON.stringify(body))
      return body
    },
    methods: [],
    finish: async (quoteId) => {
      bank.received.set(quoteId, 100_000n)
      await advance(2)
    },
    events: ["transaction.created", "transaction.completed"]
  }
]

/** Returns the client's local signer of the owner, which signs for every type of wallet. */
const makeSigner = (): LocalSigner => {
  const { address, sign, signMessage, signTypedData } = privateKeyToAccount(file.owners[0]!.privateKey as `0x${string}`)
  return {
    address,
    sign: sign!,
    signMessage,
    signTypedData: signTypedData as LocalSigner["signTypedData"],
    // The test's Bitcoin network expects the id of the PSBT between a version and a signature.
    signPsbt: async ({ psbt }) => `02${Buffer.from(psbt, "base64").toString("hex").slice("70736274ff".length)}5a`
  }
}

const runJson = async (...words: ReadonlyArray<string>) =>
  jsonOf(await runHere(home, [...words, "--json"], {}, context))

const executeByClient = async (quote: SignableQuote) => client.execute(await signQuote(quote, makeSigner()))

const executeByCommandLine = async ({ quoteId }: SignableQuote) => {
  const { signatures } = await runJson("sign", quoteId)
  const pairs = Object.entries(signatures).map(([hash, signature]) => `--signatures=${hash}=${signature}`)
  return runJson("execute", quoteId, ...pairs)
}

/**
 * Returns the resource without fields that change over time: values in other currencies, and whether a leg is final.
 */
const withoutVolatileFields = (resource: unknown): unknown =>
  JSON.parse(JSON.stringify(resource), (key, value) =>
    key === "amountIn" ? value.usd : key === "state" && value === "FINAL" ? "INCLUDED" : value
  )

for (const kind of kinds) {
  describe(kind.name, () => {
    it.each([
      ["the client", executeByClient],
      ["the command line", executeByCommandLine]
    ])("is quoted, signed, executed and completed by %s", async (_, execute) => {
      const quote = await kind.quote()
      assert.deepStrictEqual(
        quote.signData.map(({ method }) => method),
        kind.methods
      )
      const execution = await execute(quote)
      assert.strictEqual(execution.quoteId, quote.quoteId)
      assert.strictEqual(execution.status, "PROCESSING")
      await kind.finish(quote.quoteId, execution.transactionId)
      const endedTransaction = await client.wait(execution, { interval: 50, signal: AbortSignal.timeout(120_000) })
      assert.strictEqual(endedTransaction.status, "COMPLETED", JSON.stringify(endedTransaction))
      assert.isNotNull(endedTransaction.executedAt)
      assert.strictEqual(endedTransaction.type, kind.type)
      assert.isNotNull(endedTransaction.sentAmount)
      assert.isNotNull(endedTransaction.receivedAmount)

      const history = `/api/v1/wallets/${kind.walletAddress()}/history?take=1&type=${kind.type}`
      assert.deepStrictEqual(
        withoutVolatileFields((await sendRequest("GET", history)).body.transactions),
        withoutVolatileFields([endedTransaction])
      )
      // The history may also contain transfers that were detected in the meantime.
      const page = await runJson("history", kind.walletAddress(), "--type", kind.type, "--take", "1")
      assert.strictEqual(page.transactions[0].id, endedTransaction.id)

      const deliveries = await waitUntil(
        () => receiver.received.filter(({ event }) => event.data.id === endedTransaction.id),
        (events) => events.some(({ event }) => event.data.status === "COMPLETED")
      )
      assert.deepStrictEqual<unknown>(
        deliveries.map(({ event }) => event.type),
        kind.events
      )
      const {
        metadataKey: _k,
        metadataValue: _v,
        previousStatus: _p,
        sequence: _s,
        ...resource
      } = deliveries.at(-1)!.event.data
      assert.deepStrictEqual(withoutVolatileFields(resource), withoutVolatileFields(endedTransaction))
    })

    it("rejects signatures of other elements, and returns the same response to a repeated request", async () => {
      const quote = await kind.quote()
      const foreignSignatures = { [aHash()]: "0x5a" }
      const refusal = await sendRequest("POST", "/api/v1/crypto/execute", {
        quoteId: quote.quoteId,
        signatures: foreignSignatures
      })
      assert.deepStrictEqual([refusal.status, refusal.body.id], [400, "BAD_REQUEST"])
      if (quote.signData.length > 0) {
        const unsignedResponse = await sendRequest("POST", "/api/v1/crypto/execute", {
          quoteId: quote.quoteId,
          signatures: {}
        })
        assert.deepStrictEqual([unsignedResponse.status, unsignedResponse.body.id], [400, "INVALID_SIGNATURE"])
        assert.include(unsignedResponse.body.message, `signatures.${quote.signData[0]!.hash}`)
      }
      const firstExecution = await executeByClient(quote)
      assert.deepStrictEqual(await executeByClient(quote), firstExecution)
      await kind.finish(quote.quoteId, firstExecution.transactionId)
      await client.wait(firstExecution, { interval: 50, signal: AbortSignal.timeout(120_000) })
    })
  })
}

describe("the bank", () => {
  it("shows amounts and fees in its currency, with the currency's digits", async () => {
    const { transactions } = (
      await sendRequest("GET", `/api/v1/wallets/${smartWallet()}/history?take=1&type=FIAT_DEPOSIT`)
    ).body
    const [deposit] = transactions
    assert.deepStrictEqual(
      [deposit.sentAmount.amount, deposit.sentAmount.currency, deposit.sentCryptoCurrency, deposit.chainIn],
      ["1000", "BRL", null, null]
    )
    const [fee] = deposit.fees
    assert.deepStrictEqual([fee.amount, fee.currency, fee.token, fee.toAddress], ["1.5", "BRL", null, null])
  })

  it("has its endpoint in the reference, with the usual validation of requests", async () => {
    const { body } = await sendRequest("GET", "/openapi.json")
    assert.strictEqual(body.paths["/api/v1/bank/deposits"].post.operationId, "bank.quote")
    const refusal = await sendRequest("POST", "/api/v1/bank/deposits", {
      walletAddress: "0x1",
      currency: 7,
      more: true
    })
    assert.deepStrictEqual([refusal.status, refusal.body.id], [400, "BAD_REQUEST"])
    assert.sameMembers(
      refusal.body.errors.map(({ path }: { readonly path: string }) => path),
      ["body.walletAddress", "body.currency", "body.amount", "body.more"]
    )
  })
})
