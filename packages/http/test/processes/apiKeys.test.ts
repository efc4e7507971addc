import { Projects } from "@countersign/core/tenancy/projects"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { waitUntil } from "../../../core/test/support/until.ts"
import { newProject } from "../fleet/operator.ts"
import { PROCESS_COUNT, requestFrom, type Servers, startServers } from "./startServers.ts"

/**
 * Tests that a change of a key applies to every process immediately, because each request reads the key from the
 * database.
 */

const LIMIT = { requests: 50, windowSeconds: 20 }
/** Minimum remaining milliseconds of a window, so that many requests fit into it even on a busy machine. */
const MIN_REMAINING_MS = 16_000

let servers: Servers

beforeAll(async () => {
  servers = await startServers({ rateLimit: LIMIT })
})
afterAll(() => servers.close())

const processNumbers = Array.from({ length: PROCESS_COUNT }, (_, nth) => nth)

const readAs = async (apiKey: string, nth: number) => {
  const sentAt = Date.now()
  const response = await requestFrom(await servers.fleet.url(nth), { apiKey, path: "/api/v1/wallets/factories" })
  return { ...response, sentAt, answeredAt: Date.now() }
}

type KeyResponse = Awaited<ReturnType<typeof readAs>>

const windowOf = (millis: number): number => Math.floor(millis / 1000 / LIMIT.windowSeconds)

/**
 * Waits for a window with enough remaining time. Windows are the same for all keys, because they start at multiples of
 * their length.
 */
const waitForWindow = async (): Promise<number> => {
  for (;;) {
    const now = Date.now()
    const remainingMs = LIMIT.windowSeconds * 1000 - (now % (LIMIT.windowSeconds * 1000))
    if (remainingMs >= MIN_REMAINING_MS) return windowOf(now)
    await new Promise((resolve) => setTimeout(resolve, remainingMs))
  }
}

const rateLimitOf = ({ headers }: KeyResponse) => {
  assert.strictEqual(headers.get("ratelimit-policy"), `"key";q=${LIMIT.requests};w=${LIMIT.windowSeconds}`)
  const [, remaining, reset] = /^"key";r=(\d+);t=(\d+)$/u.exec(headers.get("ratelimit") ?? "") ?? []
  return { remaining: Number(remaining), resetSeconds: Number(reset) }
}

/** Checks that the reset header is the time until the end of the window, at some time between request and response. */
const assertReset = (response: KeyResponse, window: number) => {
  const windowEnd = (window + 1) * LIMIT.windowSeconds
  const { resetSeconds } = rateLimitOf(response)
  assert.isAtMost(resetSeconds, windowEnd - Math.floor(response.sentAt / 1000))
  assert.isAtLeast(resetSeconds, windowEnd - Math.floor(response.answeredAt / 1000))
}

/** Sends `count` concurrent requests with a new key to all processes, all within one window. */
const sendInOneWindow = async (count: number) => {
  for (let attempt = 0; attempt < 3; attempt++) {
    const { apiKey, id } = await servers.operate(newProject(null))
    const window = await waitForWindow()
    const responses = await Promise.all(Array.from({ length: count }, (_, nth) => readAs(apiKey, nth)))
    if (windowOf(Date.now()) === window) return { apiKey, id, answers: responses, window }
  }
  throw new Error(`${count} requests do not fit into ${MIN_REMAINING_MS} ms here`)
}

describe(`a limit of ${LIMIT.requests} requests in ${LIMIT.windowSeconds} seconds`, () => {
  it("admits exactly that many across all processes, returns Retry-After to the others, and applies to one key", async () => {
    const { answers, apiKey, id, window } = await sendInOneWindow(200)
    const admittedResponses = answers.filter(({ status }) => status === 200)
    const refusals = answers.filter(({ status }) => status !== 200)
    assert.deepStrictEqual(
      admittedResponses.map((response) => rateLimitOf(response).remaining).sort((a, b) => a - b),
      Array.from({ length: LIMIT.requests }, (_, remaining) => remaining)
    )
    assert.strictEqual(refusals.length, 150)
    for (const response of admittedResponses) {
      assertReset(response, window)
      assert.isNull(response.headers.get("retry-after"))
    }
    for (const response of refusals) {
      assert.deepStrictEqual([response.status, response.body.id], [429, "RATE_LIMITED"])
      const { remaining, resetSeconds } = rateLimitOf(response)
      assert.strictEqual(remaining, 0)
      assertReset(response, window)
      assert.strictEqual(response.headers.get("retry-after"), String(resetSeconds))
      assert.include(response.body.message, `Try again in ${resetSeconds} s.`)
    }

    const request = { name: "other", environment: "test", scopes: ["read" as const], expiresAt: null }
    const otherKey = await servers.operate(Projects.use((projects) => projects.createKey(id, request)))
    assert.strictEqual((await readAs(otherKey.text, 0)).status, 200)

    const lastRefusal = refusals.at(-1)!
    const retryAt = lastRefusal.answeredAt + Number(lastRefusal.headers.get("retry-after")) * 1000
    await new Promise((resolve) => setTimeout(resolve, retryAt - Date.now()))
    const secondResponse = await readAs(apiKey, 1)
    assert.strictEqual(secondResponse.status, 200)
    assert.strictEqual(rateLimitOf(secondResponse).remaining, LIMIT.requests - 1)
  })
})

const readStatuses = (apiKey: string) =>
  Promise.all(processNumbers.map(async (nth) => (await readAs(apiKey, nth)).status))

const repeatStatus = (status: number) => processNumbers.map(() => status)

describe("a key", () => {
  it("that is created is valid at every process immediately, and a revoked one at none", async () => {
    const { apiKey, keyId } = await servers.operate(newProject(null))
    assert.deepStrictEqual(await readStatuses(apiKey), repeatStatus(200))
    assert.isTrue(await servers.operate(Projects.use((projects) => projects.revokeKey(keyId))))
    assert.deepStrictEqual(await readStatuses(apiKey), repeatStatus(401))
  })

  it("that is rotated stays valid until the end of its overlap, in addition to the new one", async () => {
    const { apiKey, keyId } = await servers.operate(newProject(null))
    assert.deepStrictEqual(await readStatuses(apiKey), repeatStatus(200))
    const overlapMs = 2_000
    const notBefore = Date.now() + overlapMs
    const rotatedKey = await servers.operate(Projects.use((projects) => projects.rotateKey(keyId, overlapMs)))
    const notAfter = Date.now() + overlapMs
    assert.deepStrictEqual(await readStatuses(rotatedKey!.text), repeatStatus(200))
    let nth = 0
    const { answeredAt } = await waitUntil(
      () => readAs(apiKey, nth++),
      ({ sentAt, status }) => {
        if (status === 401) return true
        assert.strictEqual(status, 200)
        assert.isBelow(sentAt, notAfter)
        return false
      },
      { pollMs: 100 }
    )
    assert.isAtLeast(answeredAt, notBefore)
    assert.deepStrictEqual(await readStatuses(apiKey), repeatStatus(401))
    assert.deepStrictEqual(await readStatuses(rotatedKey!.text), repeatStatus(200))
  })
})
