import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type BoundedService, startBounded } from "./boundedService.ts"

const MAX_JSON_DEPTH = 3

let service: BoundedService

beforeAll(async () => {
  service = await startBounded({ jsonLimits: { depthMax: MAX_JSON_DEPTH } })
})
afterAll(() => service.close())

const nestedJsonOf = (levels: number) => `${'{"metadata":'.repeat(levels)}1${"}".repeat(levels)}`

const send = async (method: string, path: string, body: string) => {
  const response = await fetch(service.baseUrl + path, {
    method,
    headers: { "x-api-key": service.apiKey, "content-type": "application/json" },
    body
  })
  // biome-ignore lint/suspicious/noExplicitAny: read as a client without generated types does.
  const responseBody: any = await response.json()
  return { status: response.status, problems: responseBody.errors }
}

const tooDeepProblem = { path: "body", code: "too_deep", message: "Expected JSON nested at most 3 levels deep." }

describe("JSON nested beyond the limit", () => {
  it.each([
    ["POST", "/api/v1/crypto/swap"],
    ["POST", "/api/v1/crypto/execute-user-op"],
    ["POST", "/api/v1/wallets/register"],
    ["PATCH", `/api/v1/wallets/0x${"0a".repeat(20)}/metadata`],
    ["POST", "/api/v1/webhooks"]
  ])("is rejected by %s %s before its schema is checked", async (method, path) => {
    assert.deepStrictEqual(await send(method, path, nestedJsonOf(MAX_JSON_DEPTH + 1)), {
      status: 400,
      problems: [tooDeepProblem]
    })
    const allowedResponse = await send(method, path, nestedJsonOf(MAX_JSON_DEPTH))
    assert.strictEqual(allowedResponse.status, 400)
    assert.notDeepInclude(allowedResponse.problems, tooDeepProblem)
  })
})
