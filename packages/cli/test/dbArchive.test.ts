import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { sandboxDatabaseFile } from "@countersign/adapters/storage/home"
import { layerSqlite } from "@countersign/adapters/storage/kysely"
import { anExecution } from "@countersign/core/contracts/operations/executions/ExecutionStore"
import { aQuote } from "@countersign/core/contracts/operations/quotes/QuoteStore"
import { ExecutionStore } from "@countersign/core/operations/executions"
import { QuoteStore } from "@countersign/core/operations/quotes"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { assertCode, jsonOf, removeHome, run, temporaryHome } from "./support/commandLine.ts"

const home = temporaryHome()
afterAll(() => removeHome(home))

const runArchive = (...words: ReadonlyArray<string>) =>
  run(home, ["db", "archive", ...words], { RPC_URL_1: "http://127.0.0.1:1" })
const runPrune = () => run(home, ["db", "prune", "--json"], { RPC_URL_1: "http://127.0.0.1:1" })

/** Inserts an execution that ended at this time. */
const insertEndedExecution = (text: string) =>
  Effect.gen(function* () {
    const quote = aQuote()
    const execution = anExecution({}, quote)
    const executions = yield* ExecutionStore
    const quotes = yield* QuoteStore
    yield* quotes.insert([quote])
    yield* quotes.accept(quote.projectId, quote.id, execution.acceptedAt)
    yield* executions.insert(execution)
    yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe(text)))
    yield* executions.update(execution, 0, null)
    return execution.id
  })

describe("db archive", () => {
  it("lists the months of archived executions, and moves one to a file", async () => {
    const insertExecutions = Effect.forEach(
      ["2025-01-31T12:00:00Z", "2025-01-02T12:00:00Z", "2025-02-01T00:00:00Z"],
      insertEndedExecution
    )
    const [latestId, firstId] = await Effect.runPromise(
      insertExecutions.pipe(Effect.provide(layerSqlite(sandboxDatabaseFile(home))), Effect.provide(TestClock.layer()))
    )
    const emptyOutcome = await runArchive()
    assertCode(emptyOutcome, 0)
    assert.strictEqual(emptyOutcome.out, "The archive is empty.\n")
    assert.strictEqual(jsonOf(await runPrune()).removed.executions, 3)

    const { months } = jsonOf(await runArchive("--json"))
    assert.deepStrictEqual(
      months.map(({ bytes: _, ...month }: Readonly<Record<string, unknown>>) => month),
      [
        { month: "2025-01", rows: 2, isAttached: true },
        { month: "2025-02", rows: 1, isAttached: true }
      ]
    )
    const listOutcome = await runArchive()
    assert.match(
      listOutcome.out,
      /^MONTH {4}ROWS {2}BYTES {2}ATTACHED\n2025-01 {2}2 {5}\d+ +yes\n2025-02 {2}1 {5}\d+ +yes\n$/u
    )

    const file = join(home, "2025-01.jsonl")
    const existingFile = join(home, "taken.jsonl")
    writeFileSync(existingFile, "taken")
    assertCode(await runArchive("--detach", "2025-1", "--to", file), 2)
    assertCode(await runArchive("--detach", "2024-12", "--to", file), 3)
    assertCode(await runArchive("--detach", "2025-01"), 4)
    assertCode(await runArchive("--detach", "2025-01", "--to", existingFile), 4)
    assert.strictEqual(readFileSync(existingFile, "utf8"), "taken")

    const detachOutcome = await runArchive("--detach", "2025-01", "--to", file, "--json")
    assertCode(detachOutcome, 0)
    assert.deepStrictEqual(jsonOf(detachOutcome), { month: "2025-01", file, rows: 2 })
    const lines = readFileSync(file, "utf8").trimEnd().split("\n")
    assert.deepStrictEqual(
      lines.map((line) => JSON.parse(line).execution.id),
      [firstId, latestId]
    )
    assert.deepStrictEqual(
      jsonOf(await runArchive("--json")).months.map(({ month }: { readonly month: string }) => month),
      ["2025-02"]
    )
    assertCode(await runArchive("--detach", "2025-01", "--to", join(home, "again.jsonl")), 3)
  })
})
