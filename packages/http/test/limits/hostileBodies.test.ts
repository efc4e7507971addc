import { endpointList } from "@countersign/adapters/api/endpoints"
import { scopes } from "@countersign/core/tenancy/projects"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { BUSINESSES } from "../support/verifications.ts"
import { type BoundedService, startBounded } from "./boundedService.ts"
import { generateHostileBodies } from "./hostileBodies.ts"
import { RawClient } from "./RawClient.ts"

/** Tests small bodies that are expensive to process, and bodies that the service need not read. */

/** Suffices for fifty problems of up to 1,000 characters, in `message` and in `errors`. */
const RESPONSE_BYTES_MAX = 128 * 1_024
const PROBLEMS_MAX = 50

let service: BoundedService

beforeAll(async () => {
  service = await startBounded({ requestTimeoutMs: 240_000 })
})
afterAll(() => service.close())

const sendBody = async (method: string, path: string, body: string) => {
  const response = await fetch(service.baseUrl + path, {
    method,
    headers: { "x-api-key": service.apiKey, "content-type": "application/json" },
    body
  })
  const text = await response.text()
  return { status: response.status, bytes: text.length, body: JSON.parse(text) }
}

const SWAP = "/api/v1/crypto/swap"

describe("a body", () => {
  it("with more elements than its schema allows is rejected before they are decoded", async () => {
    const owners = `[${Array.from({ length: 21 }, () => "{}").join(",")}]`
    const { body, status } = await sendBody("POST", BUSINESSES, `{"owners":${owners}}`)
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(body.errors, [
      { path: "body.owners", code: "invalid", message: "Expected at most 20 owners" }
    ])
  })

  it("with many problems gets fifty of them in the response, and the number of the others", async () => {
    const fields = Array.from({ length: 200 }, (_, i) => [`field${i}`, 0])
    const { body, status } = await sendBody("POST", SWAP, JSON.stringify(Object.fromEntries(fields)))
    assert.strictEqual(status, 400)
    assert.lengthOf(body.errors, PROBLEMS_MAX)
    // The fields that a swap requires are also missing.
    assert.isAtLeast(body.errorsOmitted, 150)
    assert.match(body.message, new RegExp(`and ${body.errorsOmitted} more problems$`, "u"))
  })

  it("with few problems gets all of them in the response", async () => {
    const { body } = await sendBody("POST", SWAP, "{}")
    assert.isAbove(body.errors.length, 1)
    assert.notProperty(body, "errorsOmitted")
  })

  it("to any operation gets a small response, whatever it contains", { timeout: 600_000 }, async () => {
    const requestIds = new Set<string>()
    const testedFields = new Set<string>()
    for (const { id, method, name, path, text } of generateHostileBodies()) {
      // For each operation, the test uses one path per hostile value, and all paths that end with one of five lists or
      // records. The benchmark uses all paths.
      const fieldKey = `${id} ${name.slice(0, name.lastIndexOf(" at "))}`
      if (testedFields.has(fieldKey) && !/ at (?:owners|operations|metadata|signatures|eventTypes)$/u.test(name))
        continue
      testedFields.add(fieldKey)
      const { body, bytes, status } = await sendBody(method, path, text)
      assert.isBelow(status, 500, `${id}: ${name}`)
      assert.isAtMost(bytes, RESPONSE_BYTES_MAX, `${id}: ${name}`)
      assert.isAtMost(body.errors?.length ?? 0, PROBLEMS_MAX, `${id}: ${name}`)
      requestIds.add(id)
    }
    assert.sameMembers(
      [...requestIds],
      endpointList.filter(({ payload }) => payload !== undefined).map(({ id }) => id)
    )
  })
})

describe("a query", () => {
  const requestErrors = async (query: string) => {
    const url = `${service.baseUrl}/api/v1/crypto/tokens?${query}`
    const response = await fetch(url, { headers: { "x-api-key": service.apiKey } })
    assert.strictEqual(response.status, 400)
    // biome-ignore lint/suspicious/noExplicitAny: read as a client without generated types does.
    const { errors, errorsOmitted }: any = await response.json()
    return { errors, errorsOmitted }
  }

  it("with a list of thousands is rejected with its first hundred problems", async () => {
    const { errors } = await requestErrors(`chains=${"1,".repeat(6_000)}`)
    assert.deepStrictEqual(errors, [{ path: "query.chains", code: "invalid", message: "Expected at most 100 values" }])
  })

  it("with thousands of unknown parameters gets fifty of them in the response", async () => {
    const { errors, errorsOmitted } = await requestErrors(Array.from({ length: 1_000 }, (_, i) => `x${i}=1`).join("&"))
    assert.deepStrictEqual([errors.length, errorsOmitted], [PROBLEMS_MAX, 950])
  })
})

describe("a body that has not arrived", () => {
  const requestRejection = async (path: string, ...headers: ReadonlyArray<string>) => {
    const client = await RawClient.open(service.port)
    client.send(
      `POST ${path} HTTP/1.1`,
      "host: a",
      "content-type: application/json",
      "content-length: 1000",
      ...headers,
      "",
      "{"
    )
    const [response] = await client.waitFor(1)
    client.socket.destroy()
    return [response!.status, JSON.parse(response!.text).id]
  }

  it("does not delay the rejection of a missing key", async () => {
    assert.deepStrictEqual(await requestRejection(SWAP), [401, "INVALID_API_KEY"])
  })

  it("does not delay the rejection of a key without the scope", async () => {
    const readKeyHeader = `x-api-key: ${await service.newApiKey(["read"])}`
    assert.deepStrictEqual(await requestRejection(BUSINESSES, readKeyHeader), [403, "FORBIDDEN_SCOPE"])
    assert.deepStrictEqual(await requestRejection(BUSINESSES, readKeyHeader, "idempotency-key: a"), [
      403,
      "FORBIDDEN_SCOPE"
    ])
  })

  it("does not delay the rejection of a project without compute units", async () => {
    const apiKey = await service.newApiKey(scopes, 4)
    assert.deepStrictEqual(await requestRejection(SWAP, `x-api-key: ${apiKey}`), [403, "UNAVAILABLE_COMPUTE_UNITS"])
  })
})
