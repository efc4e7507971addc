import {
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { join } from "node:path"
import { NodeEntropy } from "@countersign/adapters/service/node"
import { layerSqlite } from "@countersign/adapters/storage/kysely"
import { Projects } from "@countersign/core/tenancy/projects"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { assertCode, type Outcome, removeHome, run, runHere, startServe, temporaryHome } from "./support/commandLine.ts"

/** Tests commands on a damaged database, and on a database that another process uses. */

const home = temporaryHome()
/**
 * One database after a clean exit, and one after a kill. The last writes of the second one are still in its journal.
 */
const closedHome = join(home, "closed")
const killedHome = join(home, "killed")
afterAll(() => removeHome(home))

const settings = { RPC_URL_1: "http://127.0.0.1:1" }
const PAGE_SIZE = 4096

beforeAll(async () => {
  const createProjects = Effect.gen(function* () {
    const { create } = yield* Projects
    for (let i = 0; i < 300; i++) yield* create(`project ${i} ${"x".repeat(80)}`, null)
    yield* Effect.sync(() => {
      mkdirSync(killedHome)
      for (const name of ["countersign.db", "countersign.db-wal"])
        copyFileSync(join(home, name), join(killedHome, name))
    })
  })
  const stores = Layer.mergeAll(layerSqlite(join(home, "countersign.db")), NodeEntropy.layer)
  await Effect.runPromise(Effect.provide(createProjects, Projects.layer.pipe(Layer.provide(stores))))
  mkdirSync(closedHome)
  copyFileSync(join(home, "countersign.db"), join(closedHome, "countersign.db"))
})

const garbage = Buffer.alloc(PAGE_SIZE, 0xa5)

const overwrite = (file: string, position: number, bytes: Buffer) => {
  const descriptor = openSync(file, "r+")
  writeSync(descriptor, bytes, 0, bytes.length, position)
  closeSync(descriptor)
}

const corruptions: ReadonlyArray<readonly [string, (database: string) => void]> = [
  ["header", (database) => overwrite(database, 0, garbage.subarray(0, 100))],
  [
    "pages in the middle",
    (database) => {
      for (let page = 3; page * PAGE_SIZE < statSync(database).size - PAGE_SIZE; page += 2)
        overwrite(database, page * PAGE_SIZE, garbage)
    }
  ],
  [
    "journal",
    (database) =>
      writeFileSync(
        `${database}-wal`,
        Buffer.concat([readFileSync(`${database}-wal`).subarray(0, 32), garbage, garbage])
      )
  ],
  [
    "end, which is missing",
    (database) => writeFileSync(database, readFileSync(database).subarray(0, 3 * PAGE_SIZE + 100))
  ]
]

const assertSentence = ({ code, err, out }: Outcome, words: string) => {
  assert.notMatch(err + out, /^\s+at /mu, words)
  assert.notInclude(err, "SqlError", words)
  // A command that does not read the damaged part succeeds.
  if (code !== 0) assert.isAtMost(err.trim().split("\n").length, 1, `${words}: ${err}`)
  assert.notStrictEqual(code, 1, `${words}: ${err}`)
}

describe.each(corruptions)("a database with a damaged %s", (name, damage) => {
  const folderPrefix = join(home, name.replaceAll(/\W/gu, "-"))

  it("makes serve and every command that reads this part fail with a one-sentence error", async () => {
    const commands = ["serve --port 0", "db status", "db migrate", "project list", "key list", "db prune --dry-run"]
    const outcomes = await Promise.all(
      commands.map(async (words, i) => {
        const folder = `${folderPrefix}-${i}`
        cpSync(name === "journal" ? killedHome : closedHome, folder, { recursive: true })
        damage(join(folder, "countersign.db"))
        if (!words.startsWith("serve")) return [words, await runHere(folder, words.split(" "), settings)] as const
        const serveOutcome = await startServe(folder, words.split(" ").slice(1), settings).then(
          async (service) => service.stop(),
          (error: Error) => ({ code: 4, out: "", err: error.message.replace(/^The service ended with \d: /u, "") })
        )
        return [words, serveOutcome] as const
      })
    )
    for (const [words, outcome] of outcomes) assertSentence(outcome, words)
    const [[, serveResult]] = outcomes as [(typeof outcomes)[number]]
    if (name !== "journal") assert.match(serveResult.err, /is damaged|is not a SQLite database/u)
  })
})

describe("a database of a running service", () => {
  it("rejects a second server, and accepts every other command", async () => {
    const firstServer = await startServe(home, ["--port", "0"], settings)
    const secondServer = await run(home, ["serve", "--port", "0"], settings)
    assertCode(secondServer, 4)
    assert.match(secondServer.err.trim(), /^Another process already serves with .*countersign\.db.*DATABASE_URL/u)
    assert.strictEqual(secondServer.err.trim().split("\n").length, 1)
    for (const words of ["db status", "project list", "db prune"])
      assertCode(await runHere(home, words.split(" "), settings), 0)
    assert.strictEqual((await fetch(`${firstServer.url}/readyz`)).status, 200)
    assertCode(await firstServer.stop(), 0)
    const nextServer = await startServe(home, ["--port", "0"], settings)
    assertCode(await nextServer.stop(), 0)
  })
})
