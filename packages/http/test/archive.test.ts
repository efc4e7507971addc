import { join } from "node:path"
import { archivedMonths, Db, exportMonth, layerSqliteDb } from "@countersign/adapters/storage/kysely"
import { ExecutionStore } from "@countersign/core/operations/executions"
import { Retention } from "@countersign/core/tenancy/retention"
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { waitUntil } from "../../core/test/support/until.ts"
import { registerOneOfEachKind, swapOf, type TestWallet } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { startTestService, type TestService } from "./support/testService.ts"

let service: TestService
let wallet: TestWallet

beforeAll(async () => {
  service = await startTestService()
  wallet = (await registerOneOfEachKind(service)).find(({ name }) => name === "Safe 1.4.1")!
})
afterAll(() => service.stop())

const readPendingStages = () =>
  service.run(
    Effect.flatMap(DateTime.now, (now) => ExecutionStore.use((executions) => executions.countPending(null, now)))
  )

/** Moves all due executions into the archive. */
const archiveDue = async () => (await service.run(Retention.use(({ pruneDue }) => pruneDue))).executions

/** Reduces each value to US dollars and removes `asOf`, because current rates change during the test. */
const removeMarketPrices = (key: string, value: unknown) =>
  key === "asOf" ? undefined : typeof value === "object" && value !== null && "usd" in value ? value.usd : value

/** Removes all months from the archive long after they ended, as `countersign db archive --detach` does on SQLite. */
const detachAll = Effect.gen(function* () {
  const db = yield* Db
  yield* TestClock.setTime(8e15)
  const months = yield* archivedMonths(db)
  return yield* Effect.forEach(months, ({ month }) =>
    exportMonth(
      db,
      month,
      Effect.succeed(() => Effect.void)
    )
  )
})

it("the history, the portfolio and the tax export stay the same after an operation is archived and its month detached", async () => {
  const { body } = await service.request("POST", "/api/v1/crypto/swap", swapOf(wallet))
  const [quote] = body.quotes
  const { userOperationHash } = quote
  const execution = { userOperationHash, ...(await service.signatures(wallet.privateKey, quote.signData)) }
  const execute = () => service.request("POST", "/api/v1/crypto/execute-user-op", execution)
  assert.strictEqual((await execute()).status, 200)
  const { createdAt, status } = await service.settled(wallet.address, userOperationHash)
  assert.strictEqual(status, "COMPLETED")
  await askChain(service.chains.rpcUrl(1), "anvil_mine", "0x100")
  await service.advanceClock(86_400)
  await waitUntil(readPendingStages, (stages) => stages.length === 0)
  await service.advanceClock(91 * 86_400)

  const path = `/api/v1/wallets/${wallet.address}`
  const month = createdAt.slice(0, 7)
  const readRecords = async () => {
    const responses = [
      await service.request("GET", `${path}/history`),
      await service.request("GET", `${path}/history?userOperationHash=${userOperationHash}`),
      await service.request("GET", `${path}/portfolio`),
      await service.request("POST", `${path}/tax-export`, { month, timezone: "UTC" })
    ]
    return responses.map(({ body, status }) => [status, JSON.parse(JSON.stringify(body, removeMarketPrices))])
  }
  const recordsBefore = await readRecords()
  const secondResponse = await execute()
  assert.strictEqual(secondResponse.status, 200)
  assert.strictEqual(await archiveDue(), 1)
  assert.deepStrictEqual(await readRecords(), recordsBefore)
  assert.deepStrictEqual((await execute()).body, secondResponse.body)
  assert.strictEqual(await archiveDue(), 0)

  const detachEffect = detachAll.pipe(
    Effect.provide(layerSqliteDb(join(service.home, "countersign.db"))),
    Effect.provide(TestClock.layer()),
    Effect.scoped
  )
  assert.deepStrictEqual(await Effect.runPromise(detachEffect), [1])
  assert.deepStrictEqual(await readRecords(), recordsBefore)
  const { body: refusal, status: refusedStatus } = await execute()
  assert.deepStrictEqual([refusedStatus, refusal.id], [404, "USER_OPERATION_NOT_FOUND"])
  assert.deepStrictEqual(await readRecords(), recordsBefore)
})
