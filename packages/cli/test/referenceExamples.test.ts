import { readFileSync } from "node:fs"
import { type IncomingMessage, request } from "node:http"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { waitUntil } from "../../core/test/support/until.ts"
import {
  assertCode,
  type Json,
  type RunningSandbox,
  removeHome,
  startSandbox,
  temporaryHome
} from "./support/commandLine.ts"

/** Tests the example requests of the sandbox's reference page. */

const home = temporaryHome()
let sandbox: RunningSandbox

beforeAll(async () => {
  sandbox = await startSandbox(home)
})
afterAll(async () => {
  await sandbox?.stop()
  removeHome(home)
})

interface Request {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly body: object | undefined
}

const exampleOf = (part: Json): Json => part?.examples?.sandbox?.value

/**
 * Returns the requests in the order of the page. Each request uses only its own example, and no values from other
 * responses.
 */
const requestsOf = (document: Json): ReadonlyArray<Request> =>
  Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, { operationId, parameters = [], requestBody }]) => {
      const query = new URLSearchParams()
      let filledPath = path
      for (const parameter of parameters) {
        const value = exampleOf(parameter)
        if (parameter.in === "path") filledPath = filledPath.replace(`{${parameter.name}}`, String(value))
        if (parameter.in === "query" && value !== undefined) query.set(parameter.name, String(value))
      }
      return {
        id: operationId,
        method: method.toUpperCase(),
        path: query.size === 0 ? filledPath : `${filledPath}?${query}`,
        body: exampleOf(requestBody?.content["application/json"])
      }
    })
  )

/**
 * The response of `events` never ends. The others cannot succeed on the sandbox: its banks have no terms, and it
 * registers each identity automatically.
 */
const unservedIds = ["events", "kyc.fiatTermsLink", "kyc.registerWithFiatProvider"]

/** Examples that succeed only once, because they use a quote, a new document, a new wallet or a webhook. */
const singleUseIds = [
  "admin.revokeKey",
  "fiat.deposit",
  "fiat.withdraw",
  "kyc.startBusiness",
  "kyc.startIndividual",
  "wallets.register",
  "webhooks.remove"
]

/**
 * Loads the reference as a first-time reader does. On a busy machine the service may respond that the examples are not
 * ready.
 */
const loadRequests = async (): Promise<ReadonlyArray<Request>> => {
  const { body } = await waitUntil(
    () => sandbox.http("GET", "/openapi.json"),
    ({ status }) => status !== 503
  )
  return requestsOf(body).filter(({ id }) => !unservedIds.includes(id))
}

/**
 * Returns the operations and the fiat orders of the demonstration's wallets, without deposits that are detected on
 * chain in the meantime.
 */
const listDemonstrationItems = async () => {
  const { bitcoin, wallets } = sandbox.file
  const listItems = async (path: string, field: string): Promise<ReadonlyArray<Json>> =>
    (await sandbox.http("GET", path)).body[field]
  const historyPromises = [...wallets, ...bitcoin.wallets].map(({ walletAddress }) =>
    listItems(`/api/v1/wallets/${walletAddress}/history`, "transactions")
  )
  const orderPromises = wallets.map(({ walletAddress }: Json) =>
    listItems(`/api/v2/fiat/orders?walletAddress=${walletAddress}`, "orders")
  )
  return (await Promise.all([...historyPromises, ...orderPromises]))
    .flat()
    .filter(({ type }) => type !== "CRYPTO_DEPOSIT")
}

/** Sends the requests. Returns those that failed, with their responses. */
const findFailures = async (requests: ReadonlyArray<Request>): Promise<ReadonlyArray<string>> => {
  const failedExamples: Array<string> = []
  for (const { body, id, method, path } of requests) {
    const response = await fetch(sandbox.file.baseUrl + path, {
      method,
      headers: { "x-api-key": sandbox.file.apiKey, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    if (!response.ok || text.includes('"revertReason"'))
      failedExamples.push(`${id} (${response.status}): ${text.slice(0, 300)}`)
  }
  return failedExamples
}

describe("the reference of the sandbox", () => {
  it("has an example for every operation that succeeds for every reader, also an hour later", async () => {
    const firstRequests = await loadRequests()
    assert.notInclude(
      readFileSync(join(home, "countersign.log"), "utf8"),
      "could not create the sandbox's examples for the API reference"
    )
    assert.isAbove(firstRequests.length, 60)
    assert.deepStrictEqual(await findFailures(firstRequests), [])
    assert.deepStrictEqual(await findFailures(firstRequests.filter(({ id }) => !singleUseIds.includes(id))), [])
    assert.deepStrictEqual(await findFailures(await loadRequests()), [])
    assertCode(await sandbox.run("sandbox", "clock", "--advance", "1h"), 0)
    assert.deepStrictEqual(await findFailures(await loadRequests()), [])
    assert.deepStrictEqual(await listDemonstrationItems(), [])
    // The page contains the API key and the same document.
    const page = await (await fetch(`${sandbox.file.baseUrl}/docs`)).text()
    assert.include(page, `"apiKey":{"value":"${sandbox.file.apiKey}"}`)
    const { quoteId } = firstRequests.find(({ id }) => id === "execute")!.body as Json
    assert.include(page, quoteId)
  })

  it("is only for this machine: a web page whose host name resolves to this machine cannot read the key", async () => {
    const fetchPage = async (host: string): Promise<string> => {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request(`${sandbox.file.baseUrl}/docs`, { headers: { host } }, resolve).on("error", reject).end()
      })
      return text(response)
    }
    assert.include(await fetchPage("localhost"), sandbox.file.apiKey)
    const foreignPage = await fetchPage("evil.example")
    assert.notInclude(foreignPage, sandbox.file.apiKey)
    assert.strictEqual(JSON.parse(foreignPage).id, "HOST_NOT_ALLOWED")
  })

  it("allows a page to quote, sign and execute an operation", async () => {
    const { body: document } = await sandbox.http("GET", "/openapi.json")
    const swap = requestsOf(document).find(({ id }) => id === "swap.quotes")!
    const { body: quotedBody } = await sandbox.http("POST", swap.path, swap.body)
    const [{ amountOut, quoteId, walletAddress }] = quotedBody.quotes
    const signedQuote = await sandbox.http("POST", "/api/v1/sandbox/sign", { quoteId })
    assert.strictEqual(signedQuote.status, 200, JSON.stringify(signedQuote.body))
    const execution = await sandbox.http("POST", "/api/v1/crypto/execute", signedQuote.body)
    assert.strictEqual(execution.status, 200, JSON.stringify(execution.body))
    const { transaction } = await waitUntil(
      async () => (await sandbox.http("GET", `/api/v1/crypto/transactions/${execution.body.transactionId}`)).body,
      (body) => body.transaction.status !== "PROCESSING"
    )
    assert.strictEqual(transaction.status, "COMPLETED")
    assert.strictEqual(transaction.receivedAmount.amount, amountOut)

    const registrationBody = {
      externallyOwnedAccount: `0x${"00".repeat(19)}a1`,
      factory: sandbox.file.wallets[0].factory
    }
    const { body: registrationResponse } = await sandbox.http("POST", "/api/v1/wallets/register", registrationBody)
    const { body: otherQuoteBody } = await sandbox.http("POST", swap.path, {
      ...swap.body,
      walletAddress: registrationResponse.wallet.walletAddress
    })
    const refusal = await sandbox.http("POST", "/api/v1/sandbox/sign", { quoteId: otherQuoteBody.quotes[0].quoteId })
    assert.strictEqual(refusal.status, 400)
    assert.match(refusal.body.message, /is not a demonstration owner of the sandbox/u)
    assert.notStrictEqual(walletAddress, registrationResponse.wallet.walletAddress)
  })
})
