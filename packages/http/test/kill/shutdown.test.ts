import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { accountContracts } from "@countersign/adapters/chains/deployments"
import { SandboxChains } from "@countersign/adapters/sandbox"
import { Db } from "@countersign/adapters/storage/kysely"
import { Address } from "@countersign/core/foundation/primitives"
import { FINALITY } from "@countersign/core/operations/executions"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, type Layer, ManagedRuntime } from "effect"
import { shortOrLong } from "../../../core/test/support/longTests.ts"
import { waitUntilTrue } from "../../../core/test/support/until.ts"
import { createApiKey, layerOperator } from "../fleet/operator.ts"
import type { ServerAssignment } from "../fleet/ServerAssignment.ts"
import { ServerFleet } from "../fleet/ServerFleet.ts"
import { NATIVE, swapOf, USDC } from "../support/accounts.ts"
import { signOperations } from "../support/sign.ts"

/** Tests SIGTERM: the server responds to accepted requests, releases its claims, and accepts no further request. */

const OPERATIONS = 10

const home = mkdtempSync(join(tmpdir(), "countersign-stop-"))
const chains = ManagedRuntime.make(SandboxChains.layer({ home, eager: [1] }))
let assignment: ServerAssignment
let sandbox: SandboxChains["Service"]
let apiKey: string

beforeAll(async () => {
  sandbox = await chains.runPromise(SandboxChains)
  assignment = {
    home,
    gatewayUrl: sandbox.gatewayUrl,
    paymasters: sandbox.paymasters,
    // The lease is long, because the test must show that a stopping server releases its claims before they expire.
    executionLeaseSeconds: 120,
    database: { _tag: "Sqlite" }
  }
  apiKey = await runInDatabase(createApiKey(sandbox.keys.treasury.address))
})
afterAll(async () => {
  await chains.dispose()
  rmSync(home, { recursive: true, force: true })
})

type Operator = Layer.Success<ReturnType<typeof layerOperator>>

const runInDatabase = <A>(effect: Effect.Effect<A, unknown, Operator>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, layerOperator(assignment)))

const post = async (baseUrl: string, path: string, body: object) => {
  const response = await fetch(baseUrl + path, {
    method: "POST",
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  // biome-ignore lint/suspicious/noExplicitAny: read as a client without generated types does.
  const responseBody: any = await response.json()
  return { status: response.status, body: responseBody }
}

/** Prepares signed executions, each of another wallet. */
const prepareExecutions = async (baseUrl: string, firstSalt: number) => {
  const [owner] = sandbox.keys.owners
  const requests: Array<object> = []
  for (let salt = firstSalt; salt < firstSalt + OPERATIONS; salt++) {
    const registration = await post(baseUrl, "/api/v1/wallets/register", {
      externallyOwnedAccount: owner!.address,
      factory: accountContracts.simpleAccountFactory08,
      salt: String(salt)
    })
    assert.strictEqual(registration.status, 201, JSON.stringify(registration.body))
    const address = Address.make(registration.body.wallet.walletAddress)
    await Effect.runPromise(sandbox.fund(1, address, Address.make(USDC), 10n ** 12n))
    // Gas is paid in native tokens, because an owner may have only one pending first use of a gas token.
    await Effect.runPromise(sandbox.fund(1, address, "native", 10n ** 18n))
    const quoteResponse = await post(
      baseUrl,
      "/api/v1/crypto/swap",
      swapOf({ address }, { slippage: 50, payGasFeeToken: NATIVE })
    )
    const [{ signData, userOperationHash }] = quoteResponse.body.quotes
    requests.push({ userOperationHash, ...(await signOperations(owner!.privateKey, signData)) })
  }
  return requests
}

const readExecutions = Effect.gen(function* () {
  const db = yield* Db
  return yield* db.all(db.query.selectFrom("executions").select(["due_at", "claimed_by", "stage"]))
})

describe("a server that gets SIGTERM", () => {
  it.each(shortOrLong([15], [0, 15, 60]))(
    "after %i ms responds to accepted requests, releases its claims, and exits with code 0",
    async (delayMs) => {
      const fleet = await ServerFleet.of(assignment, 1)
      try {
        await fleet.start()
        const baseUrl = await fleet.url(0)
        const requests = await prepareExecutions(baseUrl, OPERATIONS * delayMs)
        const countBefore = (await runInDatabase(readExecutions)).length
        const responsesPromise = Promise.allSettled(
          requests.map((request) => post(baseUrl, "/api/v1/crypto/execute-user-op", request))
        )
        await new Promise((resolve) => setTimeout(resolve, delayMs))
        assert.deepStrictEqual(await fleet.stop(), [0])

        const responseStatuses = (await responsesPromise).flatMap((response) =>
          response.status === "fulfilled" ? [response.value.status] : []
        )
        assert.deepStrictEqual(
          responseStatuses.filter((status) => status !== 200),
          []
        )
        const rows = await runInDatabase(readExecutions)
        const acceptedCount = rows.length - countBefore
        assert.strictEqual(acceptedCount, responseStatuses.length)
        assert.deepStrictEqual(
          rows.filter(({ claimed_by }) => claimed_by !== null),
          []
        )

        await fleet.start()
        // The test must not block the event loop, because the chains' gateway runs in this process.
        await waitUntilTrue(
          async () =>
            (await runInDatabase(readExecutions)).every(({ due_at, stage }) => due_at === null || stage === FINALITY),
          { pollMs: 100 }
        )
      } finally {
        await fleet.close()
      }
    }
  )
})
