import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"

const sources = join(import.meta.dirname, "../../../cli/src/sources.mjs")

/** A program that opens a database in memory, closes it, and prints the modules that were loaded. */
const program = `
  import { registerHooks } from "node:module"
  const urls = []
  registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) })
  const { Countersign } = await import("@countersign/adapters")
  const countersign = await Countersign.open({ database: ":memory:", chains: { 1: { rpcUrl: "http://127.0.0.1:1" } } })
  await Array.fromAsync(countersign.wallets.list())
  await countersign.close()
  process.stdout.write(JSON.stringify(urls))
`

it("loads neither the sandbox nor Postgres unless they are needed, and the process ends after its last close", () => {
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [`--import=${sources}`, "--input-type=module", "--eval", program],
    { cwd: import.meta.dirname, encoding: "utf8", timeout: 120_000 }
  )
  assert.strictEqual(status, 0, stderr)
  const urls: ReadonlyArray<string> = JSON.parse(stdout)
  assert.isAbove(urls.filter((url) => url.includes("/packages/core/src/")).length, 50)
  const unneededModules =
    /\/adapters\/src\/(?:sandbox|home|diagnosis)\/|@foundry-rs|\/node_modules\/(?:pg|@effect\/(?:sql-pg|platform-node))\/|\.(?:test|contract|fixture)\.ts$/u
  assert.deepStrictEqual(
    urls.filter((url) => unneededModules.test(url)),
    []
  )
})
