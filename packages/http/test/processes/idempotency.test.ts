import { randomUUID } from "node:crypto"
import { accountContracts } from "@countersign/adapters/chains/deployments"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { newProject } from "../fleet/operator.ts"
import { PROCESS_COUNT, requestFrom, type Servers, startServers } from "./startServers.ts"

/** Tests one Idempotency-Key that four processes receive. */

/** Seconds after which a process that does not renew its lock counts as dead. Shorter than a quote's validity. */
const LOCK_SECONDS = 15

let servers: Servers
let apiKey: string

beforeAll(async () => {
  servers = await startServers()
  apiKey = (await servers.operate(newProject(null))).apiKey
})
afterAll(() => servers.close())

const processNumbers = Array.from({ length: PROCESS_COUNT }, (_, nth) => nth)

const registrationOf = (salt: string) => ({
  externallyOwnedAccount: `0x${"0b".repeat(20)}`,
  factory: accountContracts.simpleAccountFactory08,
  salt
})

const register = async (url: Promise<string>, key: string, salt: string) => {
  const { headers, status, text, body } = await requestFrom(await url, {
    apiKey,
    method: "POST",
    path: "/api/v1/wallets/register",
    body: registrationOf(salt),
    headers: { "idempotency-key": key }
  })
  return {
    status,
    text,
    id: body.id as string | undefined,
    contentType: headers.get("content-type"),
    isReplayed: headers.get("idempotent-replayed") === "true"
  }
}

type RegisterResponse = Awaited<ReturnType<typeof register>>

const assertReplay = (response: RegisterResponse, firstResponse: RegisterResponse) =>
  assert.deepStrictEqual(response, { ...firstResponse, isReplayed: true })

describe("a request under an Idempotency-Key", () => {
  it("is executed once by concurrent processes, and all of them return the same response", async () => {
    const key = randomUUID()
    servers.node.hold()
    const responsesPromise = Promise.all(
      [...processNumbers, ...processNumbers].map((nth) => register(servers.fleet.url(nth), key, "1"))
    )
    await servers.node.isAsked(1)
    servers.node.release()
    const responseList = await responsesPromise
    const firstResponses = responseList.filter(({ isReplayed, status }) => status === 201 && !isReplayed)
    assert.strictEqual(firstResponses.length, 1, JSON.stringify(responseList))
    const [firstResponse] = firstResponses
    for (const response of responseList) {
      if (response === firstResponse) continue
      if (response.status === 409) assert.strictEqual(response.id, "IDEMPOTENT_REQUEST_RUNNING")
      else assertReplay(response, firstResponse!)
    }
    for (const nth of processNumbers) assertReplay(await register(servers.fleet.url(nth), key, "1"), firstResponse!)

    for (const nth of processNumbers) {
      const { id, isReplayed, status } = await register(servers.fleet.url(nth), key, "2")
      assert.deepStrictEqual([status, id, isReplayed], [409, "IDEMPOTENCY_KEY_REUSED", false])
    }
  })

  it("is taken over when its process is killed, once the lock has expired and not before", async () => {
    const key = randomUUID()
    servers.node.hold()
    const sentAt = Date.now()
    const lostResponsePromise = register(servers.fleet.url(0), key, "3").catch(() => null)
    await servers.node.isAsked(1)
    const restartPromise = servers.fleet.kill(0)
    assert.isNull(await lostResponsePromise)
    servers.node.release()

    const firstResponse = await register(servers.fleet.url(1), key, "3")
    const waitedMs = Date.now() - sentAt
    assert.isAtLeast(waitedMs, LOCK_SECONDS * 1000)
    // The process had registered the wallet before it died, so the second registration is rejected.
    assert.deepStrictEqual(
      [firstResponse.status, firstResponse.id, firstResponse.isReplayed],
      [400, "WALLET_ALREADY_REGISTERED", false]
    )
    await restartPromise
    for (const nth of processNumbers) assertReplay(await register(servers.fleet.url(nth), key, "3"), firstResponse)
  })
})
