import { sandboxDatabaseFile } from "@countersign/adapters/storage/home"
import { Db, layerSqlite } from "@countersign/adapters/storage/kysely"
import { aKey, aProject } from "@countersign/core/contracts/tenancy/projects/ProjectStore"
import { ProjectStore } from "@countersign/core/tenancy/projects"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sql } from "kysely"
import { assertCode, removeHome, runHere, temporaryHome } from "./support/commandLine.ts"

const home = temporaryHome()
afterAll(() => removeHome(home))

const project = aProject({ name: "Shop" })
const key = aKey({ projectId: project.id })
const otherProject = aProject({ name: "Other" })
const otherKey = aKey({ projectId: otherProject.id })

const runInDatabase = <A, E>(effect: Effect.Effect<A, E, Db | ProjectStore>) =>
  Effect.runPromise(Effect.provide(effect, layerSqlite(sandboxDatabaseFile(home))))

const runCountersign = (...words: ReadonlyArray<string>) => runHere(home, words, { RPC_URL_1: "http://127.0.0.1:1" })

beforeAll(() =>
  runInDatabase(
    Effect.gen(function* () {
      const store = yield* ProjectStore
      for (const insertedProject of [project, otherProject]) yield* store.insert(insertedProject)
      for (const insertedKey of [key, otherKey]) yield* store.insertKey(insertedKey)
    })
  )
)

const markProject = (state: string, target: string | null) =>
  runInDatabase(
    Effect.flatMap(Db, (db) =>
      db.run(sql`insert into project_moves (project_id, state, target) values (${project.id}, ${state}, ${target})
        on conflict (project_id) do update set state = excluded.state, target = excluded.target`)
    )
  )

describe("the commands of a project that continues in another database", () => {
  it("change nothing, and name the other database", async () => {
    for (const [state, target, message] of [
      ["MOVING", "db2/countersign", /"Shop" is paused while it moves to db2\/countersign/u],
      ["MOVED", "db2/countersign", /"Shop" was moved to db2\/countersign/u],
      ["ARRIVING", null, /"Shop" is paused while it moves to this database/u]
    ] as const) {
      await markProject(state, target)
      for (const words of [
        ["key", "revoke", key.id],
        ["key", "rotate", key.id],
        ["key", "create", "--project", "Shop"],
        ["project", "update", "--project", "Shop", "--compute-units", "1"],
        ["project", "rename", "Shop", "Market"],
        ...(state === "ARRIVING" ? [] : [["project", "delete", "Shop", "--yes"]]),
        ["wallet", "list", "--project", "Shop"]
      ]) {
        const refusal = await runCountersign(...words)
        assertCode(refusal, 4)
        assert.match(refusal.err, message, words.join(" "))
      }
      const storedRows = await runInDatabase(
        ProjectStore.use((store) => Effect.all([store.find(project.id), store.listKeys(project.id)]))
      )
      assert.deepStrictEqual([storedRows[0].pipe((one) => one._tag), storedRows[1]], ["Some", [key]])
    }
    assertCode(await runCountersign("key", "revoke", otherKey.id), 0)
  })

  it("also erase people in this database", async () => {
    await markProject("MOVED", "db2/countersign")
    const eraseOutcome = await runCountersign("identity", "erase", "nobody", "--project", "Shop", "--yes")
    assertCode(eraseOutcome, 3)
  })

  it("delete the copy that the move left behind", async () => {
    await markProject("ARRIVING", null)
    assertCode(await runCountersign("project", "delete", "Shop", "--yes"), 0)
  })
})
