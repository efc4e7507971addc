import { spawn } from "node:child_process"
import { join } from "node:path"
import { aProject } from "@countersign/core/contracts/tenancy/projects/ProjectStore"
import { ComputeUnitStore } from "@countersign/core/tenancy/metering"
import { ProjectStore } from "@countersign/core/tenancy/projects"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option } from "effect"
import { waitUntilEffect } from "../../../../core/test/support/untilEffect.ts"
import { claimsSuite } from "../../../test/kysely/claimsSuite.ts"
import { dbSuite } from "../../../test/kysely/dbSuite.ts"
import { migrateSuite } from "../../../test/kysely/migrateSuite.ts"
import { plansSuite } from "../../../test/kysely/plansSuite.ts"
import { storesSuite } from "../../../test/kysely/storesSuite.ts"
import { vaultSuite } from "../../../test/kysely/vaultSuite.ts"
import { layerTemporarySqlite, sharedLayer, temporaryFile } from "../../../test/support/databases.ts"
import { Db } from "./Db.ts"
import { layerSqlite, layerSqliteDb } from "./index.ts"

for (const [name, database] of [
  ["a SQLite file", sharedLayer(layerTemporarySqlite)],
  ["SQLite in memory", sharedLayer(layerSqlite(":memory:"))]
] as const) {
  storesSuite(name, database)
  claimsSuite(name, database)
  dbSuite(name, database)
  plansSuite(name, database)
}
vaultSuite("SQLite", sharedLayer(layerTemporarySqlite))
migrateSuite(
  "SQLite",
  Effect.map(temporaryFile, (file) => Effect.provide(Layer.fresh(layerSqliteDb(file))))
)

const script = join(import.meta.dirname, "../../../test/support/spendInTransactions.ts")

const runProcess = (...args: ReadonlyArray<string>) =>
  Effect.callback<string>((resume) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "ignore", "pipe"] })
    let complaints = ""
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      complaints += chunk
    })
    child.on("exit", (code) => resume(Effect.succeed(code === 0 ? "" : `exit ${code}: ${complaints}`)))
    return Effect.sync(() => child.kill())
  })

describe("SQLite", () => {
  it.live("serves several processes on one file, and none of them fails because the file is busy", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const project = aProject({ computeUnits: 1_000 })
      // The processes also migrate the new file concurrently.
      const processes = yield* Effect.forkChild(
        Effect.all([runProcess(file, project.id, "25"), runProcess(file, project.id, "25")], { concurrency: 2 })
      )
      const remainingUnits = yield* Effect.gen(function* () {
        const store = yield* ProjectStore
        const units = yield* ComputeUnitStore
        yield* store.insert(project)
        yield* waitUntilEffect(
          Effect.map(units.deduct(project.id, 0), () => processes.pollUnsafe()),
          (exit) => exit !== undefined,
          { pollMs: 1 }
        )
        assert.deepStrictEqual(yield* Fiber.join(processes), ["", ""])
        return yield* Effect.flatMap(store.find(project.id), Effect.fromOption)
      }).pipe(Effect.provide(layerSqlite(file)))
      assert.strictEqual(remainingUnits.computeUnits, 1_000 - 2 * 25 * 2)
    })
  )

  it.live("waits for another connection of its own process without blocking it", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const [holder, waiter] = yield* Effect.all([
        Layer.build(Layer.fresh(layerSqlite(file))),
        Layer.build(Layer.fresh(layerSqlite(file)))
      ])
      const project = aProject()
      const holds = yield* Deferred.make<void>()
      const holdingFiber = yield* Effect.forkChild(
        Effect.flatMap(Db, (db) =>
          db.transaction(
            Effect.gen(function* () {
              yield* ProjectStore.use((store) => store.insert(project))
              yield* Deferred.succeed(holds, undefined)
              // In this time the other connection starts to wait. On a slow machine it starts later and does not wait;
              // the test still passes.
              yield* Effect.sleep("100 millis")
            })
          )
        ).pipe(Effect.provide(holder))
      )
      yield* Deferred.await(holds)
      const changedProject = { ...project, computeUnits: 7 }
      const updatedProject = yield* ProjectStore.use((store) => store.update(project.id, { computeUnits: 7 })).pipe(
        Effect.provide(waiter)
      )
      yield* Fiber.join(holdingFiber)
      assert.deepStrictEqual(updatedProject, Option.some(changedProject))
      assert.deepStrictEqual(
        yield* ProjectStore.use((store) => store.find(project.id)).pipe(Effect.provide(holder)),
        Option.some(changedProject)
      )
    })
  )
})
