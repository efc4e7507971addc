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
import { PROCESS_COUNT, requestFrom, type Servers, startServers } from "./startServers.ts"

/**
 * Tests that concurrent requests to several processes of one database create one order per quote, and no order above a
 * limit.
 */

const QUOTE_COUNT = shortOrLong(20, 100)
const REQUESTS_PER_QUOTE = 10
const INDIVIDUAL_COUNT = 5
/** Limit of an identity with verified documents. It suffices for 40 of the 64 orders that clients request. */
const LEVEL_LIMIT = 400
const CLIENT_COUNT = 64

const clock = { nowSeconds: () => Math.floor(Date.now() / 1_000) }
const bank = new SandboxBank({ clock } as ConstructorParameters<typeof SandboxBank>[0])

let gateway: Server
let servers: Servers
let apiKey: string
let projectId: string
let walletAddress: string

/** Responds like a node of chain 1 without any account. */
const respondAsNode = (text: string): unknown => {
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
const createGateway = () =>
  createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", async () => {
      const { method = "GET", url = "/" } = request
      const { authorization, "idempotency-key": key } = request.headers
      const text = Buffer.concat(chunks).toString()
      const providerResponse = url.startsWith(BLINDPAY_PATH)
        ? await bankResponseOrNull(bank, { method, path: url, authorization, key: String(key), text })
        : { status: 200, body: url === "/status" ? { clockOffsetSeconds: 0 } : respondAsNode(text) }
      response.writeHead(providerResponse?.status ?? 404, { "content-type": "application/json" })
      response.end(JSON.stringify(providerResponse?.body ?? {}))
    })
  })

const individuals = Array.from({ length: INDIVIDUAL_COUNT }, (_, nth) => `person-${nth}`)

const sendRequest = async (nth: number, path: string, body?: object) =>
  requestFrom(await servers.fleet.url(nth % PROCESS_COUNT), {
    apiKey,
    path,
    ...(body === undefined ? {} : { method: "POST", body })
  })

beforeAll(async () => {
  gateway = createGateway()
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
  const { factories } = (await sendRequest(0, "/api/v1/wallets/factories")).body
  const registration = await sendRequest(0, "/api/v1/wallets/register", {
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

const requestQuote = async (nth: number, amount: string) => {
  const { body, status, text } = await sendRequest(nth, "/api/v2/fiat/deposit/quote", {
    paymentMethod: { type: "PIX" },
    from: { currency: "BRL", amount },
    to: { currency: "USDC" },
    chainId: 1,
    walletAddress,
    individualId: individuals[nth % INDIVIDUAL_COUNT]
  })
  assert.strictEqual(status, 201, text)
  return body.quoteId as string
}

const requestDeposit = (nth: number, quoteId: string) =>
  waitUntil(
    () => sendRequest(nth, "/api/v2/fiat/deposit", { quoteId }),
    ({ body }) => body.id !== "OVERLOADED"
  )

/**
 * Retries a deposit. Orders of one identity are processed one after another, and on a busy machine some wait too long.
 */
const depositUntilAccepted = (nth: number, quoteId: string) =>
  waitUntil(
    () => requestDeposit(nth, quoteId),
    ({ status }) => status < 500
  )

/** Returns whether this attempt, or an earlier one whose response was lost, created the order. */
const isOrderCreated = ({ body, status }: Awaited<ReturnType<typeof requestDeposit>>): boolean =>
  status === 201 || body.id === "FIAT_QUOTE_ALREADY_USED"

describe("several processes on one database", () => {
  it(`create ${QUOTE_COUNT} orders for ${QUOTE_COUNT} quotes, with ${REQUESTS_PER_QUOTE} concurrent requests per quote`, async () => {
    const quotes = await Promise.all(Array.from({ length: QUOTE_COUNT }, (_, nth) => requestQuote(nth, "10")))
    const responses = await Promise.all(
      Array.from({ length: QUOTE_COUNT * REQUESTS_PER_QUOTE }, (_, nth) =>
        requestDeposit(nth, quotes[nth % QUOTE_COUNT]!)
      )
    )
    const createdOrders = responses.filter(({ status }) => status === 201)
    assert.lengthOf(createdOrders, QUOTE_COUNT)
    for (const { body, status, text } of responses.filter((response) => response.status !== 201)) {
      assert.deepStrictEqual([status, body.id], [409, "FIAT_QUOTE_ALREADY_USED"], text)
    }
    const storedOrders = await servers.operate(
      FiatOrderStore.use((store) => store.list({ projectId: projectId as never, limit: 10_000 }))
    )
    assert.sameMembers(
      storedOrders.map((order) => order.quote.id),
      quotes
    )
    assert.sameMembers(
      storedOrders.map(({ id }) => id),
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

  const requestPixQuote = (nth: number, individualId: string, amount: string) =>
    sendRequest(nth, "/api/v2/fiat/deposit/quote", {
      paymentMethod: { type: "PIX" },
      from: { currency: "BRL", amount },
      to: { currency: "USDC" },
      chainId: 1,
      walletAddress,
      individualId
    })

  const readPixLimits = async (nth: number, id: string) => {
    const { body } = await sendRequest(nth, `/api/v1/kyc/identities/${id}/financial-limits`)
    return body.limits.find(({ type }: { readonly type: string }) => type === "PIX_DEPOSIT").limits
  }

  it.each([
    { level: "BASIC", amount: "25000", limit: 50_000, fit: 2 },
    { level: "DOCUMENTS", amount: "10", limit: LEVEL_LIMIT, fit: 40 }
  ] as const)(
    "exceed no $level limit, with 64 concurrent orders of which $fit fit",
    async ({ amount, fit, level, limit }) => {
      const id = await verifyIndividual(`person-${level}`, level)
      const quotes = await Promise.all(
        Array.from({ length: CLIENT_COUNT }, (_, nth) => requestPixQuote(nth, id, amount))
      )
      const responses = await Promise.all(quotes.map(({ body }, nth) => depositUntilAccepted(nth, body.quoteId)))
      assert.lengthOf(responses.filter(isOrderCreated), fit)
      for (const { body } of responses.filter((response) => !isOrderCreated(response))) {
        assert.strictEqual(body.id, "FINANCIAL_LIMIT_EXCEEDED")
      }
      // All processes must compute the same usage from the orders.
      for (let nth = 0; nth < PROCESS_COUNT; nth++) {
        assert.deepStrictEqual((await readPixLimits(nth, id)).daily, { limit, used: limit, remaining: 0 })
      }
      const storedOrders = await servers.operate(
        FiatOrderStore.use((store) => store.list({ projectId: projectId as never, individualId: id, limit: 1_000 }))
      )
      assert.strictEqual(
        storedOrders.reduce((sum, { fiatAmount }) => sum + fiatAmount, 0n),
        BigInt(limit) * 100n
      )
    }
  )
})
