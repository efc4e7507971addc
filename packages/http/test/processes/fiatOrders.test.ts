import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { FiatOrderStore } from "@countersign/core/fiat"
import { IndividualId, type VerificationLevel, VerifiedIndividuals } from "@countersign/core/identity"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { BLINDPAY_PATH, bankResponseOrNull, SandboxBank } from "../../../adapters/sandbox/bank/index.ts"
import { shortOrLong } from "../../../core/test/support/longTests.ts"
import { waitUntil } from "../../../core/test/support/until.ts"
import { newProject } from "../fleet/operator.ts"
import { PROCESSES, requestFrom, type Servers, startServers } from "./startServers.ts"

/**
 * Tests that concurrent requests to several processes of one database create one order per quote, and no order above a
 * limit.
 */

const QUOTES = shortOrLong(20, 100)
const ORDERS_OF_EACH = 10
const INDIVIDUALS = 5
/** Limit of an identity with verified documents. It suffices for 40 of the 64 orders that clients request. */
const LEVEL_LIMIT = 400
const CLIENTS = 64

const clock = { nowSeconds: () => Math.floor(Date.now() / 1_000) }
const bank = new SandboxBank({ clock } as ConstructorParameters<typeof SandboxBank>[0])

let gateway: Server
let servers: Servers
let apiKey: string
let projectId: string
let walletAddress: string

/** Responds like a node of chain 1 without any account. */
const nodeResponse = (text: string): unknown => {
  const results: Readonly<Record<string, string>> = { eth_chainId: "0x1", eth_blockNumber: "0x1", eth_getCode: "0x" }
  const respondToCall = ({ id, method }: { readonly id: number; readonly method: string }) => {
    const result = results[method]
    return {
      jsonrpc: "2.0",
      id,
      ...(result === undefined ? { error: { code: -32_601, message: method } } : { result })
    }
  }
  const rpcRequests = JSON.parse(text)
  return Array.isArray(rpcRequests) ? rpcRequests.map(respondToCall) : respondToCall(rpcRequests)
}

/** Starts the bank, and a node without any account. */
const gatewayOf = () =>
  createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", async () => {
      const { method = "GET", url = "/" } = request
      const { authorization, "idempotency-key": key } = request.headers
      const text = Buffer.concat(chunks).toString()
      const providerResponse = url.startsWith(BLINDPAY_PATH)
        ? await bankResponseOrNull(bank, { method, path: url, authorization, key: String(key), text })
        : { status: 200, body: url === "/status" ? { clockOffsetSeconds: 0 } : nodeResponse(text) }
      response.writeHead(providerResponse?.status ?? 404, { "content-type": "application/json" })
      response.end(JSON.stringify(providerResponse?.body ?? {}))
    })
  })

const individuals = Array.from({ length: INDIVIDUALS }, (_, nth) => `person-${nth}`)

const request = async (nth: number, path: string, body?: object) =>
  requestFrom(await servers.fleet.url(nth % PROCESSES), {
    apiKey,
    path,
    ...(body === undefined ? {} : { method: "POST", body })
  })

beforeAll(async () => {
  gateway = gatewayOf()
  await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", () => resolve()))
  servers = await startServers({
    gatewayUrl: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
    documentsPixLimit: LEVEL_LIMIT
  })
  const project = await servers.operate(newProject(null))
  apiKey = project.apiKey
  projectId = project.id
  const verifiedAt = DateTime.makeUnsafe(1)
  for (const individual of individuals) {
    bank.addCustomer(individual)
    const id = IndividualId.make(individual)
    await servers.operate(VerifiedIndividuals.use((store) => store.verify(project.id, { id, verifiedAt })))
  }
  const { factories } = (await request(0, "/api/v1/wallets/factories")).body
  const registration = await request(0, "/api/v1/wallets/register", {
    externallyOwnedAccount: "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc",
    factory: factories[0].address ?? factories[0].factory
  })
  assert.strictEqual(registration.status, 201, registration.text)
  walletAddress = registration.body.wallet.walletAddress
}, 240_000)
afterAll(async () => {
  await servers.close()
  gateway.close()
})

const quote = async (nth: number, amount: string) => {
  const { body, status, text } = await request(nth, "/api/v2/fiat/deposit/quote", {
    paymentMethod: { type: "PIX" },
    from: { currency: "BRL", amount },
    to: { currency: "USDC" },
    chainId: 1,
    walletAddress,
    individualId: individuals[nth % INDIVIDUALS]
  })
  assert.strictEqual(status, 201, text)
  return body.quoteId as string
}

const deposit = (nth: number, quoteId: string) =>
  waitUntil(
    () => request(nth, "/api/v2/fiat/deposit", { quoteId }),
    ({ body }) => body.id !== "OVERLOADED"
  )

/**
 * Retries a deposit. Orders of one identity are processed one after another, and on a busy machine some wait too long.
 */
const depositUntilAccepted = (nth: number, quoteId: string) =>
  waitUntil(
    () => deposit(nth, quoteId),
    ({ status }) => status < 500
  )

/** Returns whether this attempt, or an earlier one whose response was lost, created the order. */
const isMade = ({ body, status }: Awaited<ReturnType<typeof deposit>>): boolean =>
  status === 201 || body.id === "FIAT_QUOTE_ALREADY_USED"

describe("several processes on one database", () => {
  it(`create ${QUOTES} orders for ${QUOTES} quotes, with ${ORDERS_OF_EACH} concurrent requests per quote`, async () => {
    const quotes = await Promise.all(Array.from({ length: QUOTES }, (_, nth) => quote(nth, "10")))
    const responses = await Promise.all(
      Array.from({ length: QUOTES * ORDERS_OF_EACH }, (_, nth) => deposit(nth, quotes[nth % QUOTES]!))
    )
    const createdOrders = responses.filter(({ status }) => status === 201)
    assert.lengthOf(createdOrders, QUOTES)
    for (const { body, status, text } of responses.filter((response) => response.status !== 201)) {
      assert.deepStrictEqual([status, body.id], [409, "FIAT_QUOTE_ALREADY_USED"], text)
    }
    const storedItems = await servers.operate(
      FiatOrderStore.use((store) => store.list({ projectId: projectId as never, limit: 10_000 }))
    )
    assert.sameMembers(
      storedItems.map((order) => order.quote.id),
      quotes
    )
    assert.sameMembers(
      storedItems.map(({ id }) => id),
      createdOrders.map(({ body }) => body.id)
    )
  })

  const verifyIndividual = async (name: string, level: VerificationLevel) => {
    const id = IndividualId.make(name)
    bank.addCustomer(id)
    const verifiedAt = DateTime.makeUnsafe(1)
    const verify = VerifiedIndividuals.use((store) => store.verify(projectId as never, { id, verifiedAt, level }))
    await servers.operate(Effect.asVoid(verify))
    return id
  }

  const pixQuote = (nth: number, individualId: string, amount: string) =>
    request(nth, "/api/v2/fiat/deposit/quote", {
      paymentMethod: { type: "PIX" },
      from: { currency: "BRL", amount },
      to: { currency: "USDC" },
      chainId: 1,
      walletAddress,
      individualId
    })

  const pixLimits = async (nth: number, id: string) => {
    const { body } = await request(nth, `/api/v1/kyc/identities/${id}/financial-limits`)
    return body.limits.find(({ type }: { readonly type: string }) => type === "PIX_DEPOSIT").limits
  }

  it.each([
    { level: "BASIC", amount: "25000", limit: 50_000, fit: 2 },
    { level: "DOCUMENTS", amount: "10", limit: LEVEL_LIMIT, fit: 40 }
  ] as const)(
    "exceed no $level limit, with 64 concurrent orders of which $fit fit",
    async ({ amount, fit, level, limit }) => {
      const id = await verifyIndividual(`person-${level}`, level)
      const quotes = await Promise.all(Array.from({ length: CLIENTS }, (_, nth) => pixQuote(nth, id, amount)))
      const responses = await Promise.all(quotes.map(({ body }, nth) => depositUntilAccepted(nth, body.quoteId)))
      assert.lengthOf(responses.filter(isMade), fit)
      for (const { body } of responses.filter((response) => !isMade(response))) {
        assert.strictEqual(body.id, "FINANCIAL_LIMIT_EXCEEDED")
      }
      // All processes must compute the same usage from the orders.
      for (let nth = 0; nth < PROCESSES; nth++) {
        assert.deepStrictEqual((await pixLimits(nth, id)).daily, { limit, used: limit, remaining: 0 })
      }
      const storedItems = await servers.operate(
        FiatOrderStore.use((store) => store.list({ projectId: projectId as never, individualId: id, limit: 1_000 }))
      )
      assert.strictEqual(
        storedItems.reduce((sum, { fiatAmount }) => sum + fiatAmount, 0n),
        BigInt(limit) * 100n
      )
    }
  )
})
