import { accountContracts } from "@countersign/adapters/chains/deployments"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type BoundedService, startBounded } from "./boundedService.ts"
import { RawClient } from "./RawClient.ts"

/** Tests more concurrent requests than a process accepts, and requests that take too long. */

const CONCURRENT_MAX = 8
/** Slots of the first project. A second project then gets two slots, and each further project one. */
const FIRST_PROJECT_SLOTS = 4
/**
 * Response timeout of the service. A client must send its request within two thirds of it, otherwise it gets 408. The
 * last third must be so long that a busy machine does not confuse 408 and 503.
 */
const TIMEOUT_MS = 9_000

let normalService: BoundedService
let shortTimeoutService: BoundedService
/** The service that the current test calls. */
let service: BoundedService

beforeAll(async () => {
  normalService = await startBounded({ parallelRequestsMax: CONCURRENT_MAX, requestTimeoutMs: 240_000 })
  shortTimeoutService = await startBounded({ parallelRequestsMax: CONCURRENT_MAX, requestTimeoutMs: TIMEOUT_MS })
})
afterAll(() => Promise.all([normalService.close(), shortTimeoutService.close()]))

const get = async (path: string, apiKey = service.apiKey) => {
  const response = await fetch(service.baseUrl + path, { headers: { "x-api-key": apiKey } })
  const text = await response.text()
  const isJson = response.headers.get("content-type")?.includes("json") === true
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

/** Sends a request that reads an account on-chain. */
const lookUpWallet = (nth: number, apiKey?: string) => {
  const owner = `0x${nth.toString(16).padStart(40, "0")}`
  return get(
    `/api/v1/wallets/address?externallyOwnedAccount=${owner}&factory=${accountContracts.simpleAccountFactory08}`,
    apiKey
  )
}

describe(`a process that accepts ${CONCURRENT_MAX} concurrent requests`, () => {
  it("rejects a project the requests beyond its share, and accepts other projects until all slots are used", async () => {
    service = normalService
    service.node.hold()
    const startRequests = async (count: number, apiKey: string, firstNth: number, heldCount: number) => {
      const responses = Promise.all(Array.from({ length: count }, (_, nth) => lookUpWallet(firstNth + nth, apiKey)))
      await service.node.isAsked(heldCount + count)
      return responses
    }
    const [secondKey, thirdKey, fourthKey, fifthKey] = await Promise.all(
      Array.from({ length: 4 }, () => service.newApiKey())
    )
    const assertRefused = ({ body, headers, status }: Awaited<ReturnType<typeof get>>, expectedMessage: RegExp) => {
      assert.deepStrictEqual([status, body.statusCode, body.id], [503, 503, "OVERLOADED"])
      assert.match(body.message, expectedMessage)
      assert.match(body.message, /Try again in a second/u)
      assert.strictEqual(headers.get("retry-after"), "1")
      assert.strictEqual(headers.get("x-request-id"), body.traceId)
    }

    const takenRequests = [{ answers: startRequests(FIRST_PROJECT_SLOTS, service.apiKey, 1, 0) }]
    await service.node.isAsked(FIRST_PROJECT_SLOTS)
    const excessResponses = await Promise.all(Array.from({ length: 50 }, (_, nth) => lookUpWallet(nth + 100)))
    for (const response of excessResponses) assertRefused(response, /^This (?:project|process)/u)
    assertRefused(await lookUpWallet(99), /^This project/u)

    takenRequests.push({ answers: startRequests(2, secondKey!, 11, FIRST_PROJECT_SLOTS) })
    await service.node.isAsked(FIRST_PROJECT_SLOTS + 2)
    assertRefused(await lookUpWallet(98, secondKey), /^This project/u)
    takenRequests.push({ answers: startRequests(1, thirdKey!, 21, FIRST_PROJECT_SLOTS + 2) })
    await service.node.isAsked(FIRST_PROJECT_SLOTS + 3)
    assertRefused(await lookUpWallet(97, thirdKey), /^This project/u)
    takenRequests.push({ answers: startRequests(1, fourthKey!, 31, FIRST_PROJECT_SLOTS + 3) })
    await service.node.isAsked(CONCURRENT_MAX)
    assertRefused(await lookUpWallet(96, fifthKey), /^This process/u)
    for (const path of ["/healthz", "/readyz", "/metrics"]) assert.strictEqual((await get(path)).status, 200, path)

    service.node.release()
    const allResponses = (await Promise.all(takenRequests.map(({ answers }) => answers))).flat()
    assert.deepStrictEqual(
      allResponses.map(({ status }) => status),
      Array.from({ length: CONCURRENT_MAX }, () => 200)
    )
    assert.strictEqual((await lookUpWallet(1)).status, 200)
  })

  it("answers 408 to a client that does not send its whole request in that time", async () => {
    service = shortTimeoutService
    const [client] = await RawClient.openMany(service.port, 1)
    client!.send(
      "POST /api/v1/wallets/register HTTP/1.1",
      "host: a",
      `x-api-key: ${service.apiKey}`,
      "content-type: application/json",
      "content-length: 20",
      "",
      ""
    )
    const [response] = await client!.waitForEnd()
    assert.deepStrictEqual([response?.status, JSON.parse(response!.text).id], [408, "REQUEST_TIMEOUT"])
  })

  it(`answers with an error if the response takes more than ${TIMEOUT_MS} ms, and frees the slot`, async () => {
    service = shortTimeoutService
    service.node.hold()
    const lateResponses = await Promise.all(
      Array.from({ length: FIRST_PROJECT_SLOTS }, (_, nth) => lookUpWallet(nth + 200))
    )
    for (const { body, headers, status } of lateResponses) {
      assert.deepStrictEqual([status, body.id], [503, "OVERLOADED"])
      assert.strictEqual(headers.get("retry-after"), "1")
      assert.match(body.message, new RegExp(`${TIMEOUT_MS} ms`, "u"))
    }
    service.node.release()
    assert.strictEqual((await lookUpWallet(300)).status, 200)
  })
})
