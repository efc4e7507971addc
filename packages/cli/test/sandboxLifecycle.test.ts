import { chmodSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import {
  assertCode,
  chainsAliveOn,
  type Json,
  type RunningSandbox,
  removeHome,
  run,
  runDemo,
  startSandbox,
  temporaryHome
} from "./support/commandLine.ts"

/**
 * Tests the lifecycle of a sandbox's folder: a start, two starts that fail, a stop, a restart, a kill, a restart, and
 * an erasure.
 */

const home = temporaryHome()
const otherHome = temporaryHome()
let sandbox: RunningSandbox | undefined

afterAll(async () => {
  await sandbox?.stop().catch(() => undefined)
  removeHome(home)
  removeHome(otherHome)
})

/**
 * A swap, a transfer, a batch, an added and a removed position, a loan and its repayment, and a fiat deposit and
 * withdrawal.
 */
const completedStatuses = Array.from({ length: 9 }, () => "COMPLETED")

const operationStatuses = async ({ file, http }: RunningSandbox, key: string) => {
  const { body, status } = await http("GET", "/api/v1/wallets", undefined, key)
  assert.strictEqual(status, 200)
  const pages = await Promise.all(
    body.wallets.map(({ walletAddress }: Json) =>
      http("GET", `/api/v1/wallets/${walletAddress}/history`, undefined, key)
    )
  )
  assert.isAtLeast(pages.length, file.wallets.length)
  // Excludes the faucet's deposits, which the history contains after the watcher has detected them.
  const isOperation = ({ type }: Json) => type !== "CRYPTO_DEPOSIT"
  return pages.flatMap(({ body: page }: Json) =>
    page.transactions.filter(isOperation).map(({ status: operationStatus }: Json) => operationStatus)
  )
}

/**
 * Returns the paths in the sandbox's folder that users other than the owner can access, including folders and temporary
 * files.
 */
const pathsOpenToOthers = (): ReadonlyArray<string> =>
  [home, ...readdirSync(home, { recursive: true, encoding: "utf8" }).map((name) => join(home, name))].filter((path) => {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats !== undefined && (stats.mode & 0o077) !== 0
  })

describe("a sandbox's home", () => {
  it("keeps its data after a stop and after a kill, and erases it on request", { timeout: 600_000 }, async () => {
    sandbox = await startSandbox(home)
    const { apiKey } = sandbox.file
    assert.include(readdirSync(home), "countersign.db-wal")
    assert.deepStrictEqual(pathsOpenToOthers(), [])
    assertCode(await runDemo(home), 0)
    assert.deepStrictEqual(await operationStatuses(sandbox, apiKey), completedStatuses)

    // A second sandbox with the same folder, and one with the same port, fail with a one-sentence message and leave no
    // files.
    const { port } = new URL(sandbox.file.baseUrl)
    const [secondOutcome, takenPortOutcome] = await Promise.all([
      run(home, ["sandbox", "start", "--port", "0"]),
      run(otherHome, ["sandbox", "start", "--port", port])
    ])
    assertCode(secondOutcome, 4)
    assert.match(secondOutcome.err, /A sandbox with the folder .* is already running .*COUNTERSIGN_HOME/u)
    assertCode(takenPortOutcome, 5)
    assert.match(takenPortOutcome.err, new RegExp(`127\\.0\\.0\\.1:${port}: the port is in use.*--port`, "u"))
    for (const { err } of [secondOutcome, takenPortOutcome]) assert.strictEqual(err.trim().split("\n").length, 1, err)
    assert.deepStrictEqual(chainsAliveOn(otherHome), [])
    assert.strictEqual((await sandbox.http("GET", "/healthz")).status, 200)

    // Ctrl-C stops all processes in order.
    assert.isAtLeast(chainsAliveOn(home).length, 2)
    assertCode(await sandbox.stop("SIGINT"), 0)
    assert.deepStrictEqual(chainsAliveOn(home), [])

    assert.deepStrictEqual(pathsOpenToOthers(), [])
    chmodSync(home, 0o755)
    for (const name of ["countersign.db", "countersign.log"]) chmodSync(join(home, name), 0o644)

    // The next sandbox has the same data: the same key, history and chains.
    sandbox = await startSandbox(home)
    assert.strictEqual(sandbox.file.apiKey, apiKey)
    assert.deepStrictEqual(pathsOpenToOthers(), [])
    assert.deepStrictEqual(await operationStatuses(sandbox, apiKey), completedStatuses)
    assertCode(await runDemo(home), 0)

    // The chains of a killed sandbox continue to run. The next sandbox stops them and restores their state.
    await sandbox.kill()
    const orphanPids = chainsAliveOn(home)
    assert.isAtLeast(orphanPids.length, 2)
    sandbox = await startSandbox(home)
    for (const pid of orphanPids) assert.notInclude(chainsAliveOn(home), pid)
    assert.deepStrictEqual(await operationStatuses(sandbox, apiKey), [...completedStatuses, ...completedStatuses])
    assertCode(await sandbox.stop("SIGTERM"), 0)
    assert.deepStrictEqual(chainsAliveOn(home), [])

    // `--fresh` erases the data: the key is new, the history is empty, and the old key is rejected.
    sandbox = await startSandbox(home, "--fresh")
    assert.notStrictEqual(sandbox.file.apiKey, apiKey)
    assert.deepStrictEqual(await operationStatuses(sandbox, sandbox.file.apiKey), [])
    assert.strictEqual((await sandbox.http("GET", "/api/v1/wallets", undefined, apiKey)).status, 401)
    assertCode(await sandbox.stop(), 0)
    sandbox = undefined
  })
})
