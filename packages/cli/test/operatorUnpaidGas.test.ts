import { sandboxDatabaseFile } from "@countersign/adapters/storage/home"
import { layerSqlite } from "@countersign/adapters/storage/kysely"
import { aGasEntry } from "@countersign/core/contracts/operations/unpaid-gas/UnpaidGasStore"
import { aProject } from "@countersign/core/contracts/tenancy/projects/ProjectStore"
import { Address } from "@countersign/core/foundation/primitives"
import { UnpaidGasStore } from "@countersign/core/operations/unpaid-gas"
import { ProjectStore } from "@countersign/core/tenancy/projects"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { assertCode, jsonOf, removeHome, run, temporaryHome } from "./support/commandLine.ts"

/** Tests the operator's commands that show and reset unpaid gas. */

const home = temporaryHome()
const project = aProject({ name: "Shop" })
const wallet = Address.make(`0x${"aa".repeat(20)}`)
const owner = Address.make(`0x${"bb".repeat(20)}`)

const runOperator = (...words: ReadonlyArray<string>) =>
  run(home, ["operator", ...words], { RPC_URL_1: "http://127.0.0.1:1" })

beforeAll(async () => {
  const recordGasEntries = Effect.gen(function* () {
    yield* ProjectStore.use((store) => store.insert(project))
    const gasEntryAt = DateTime.subtract(yield* DateTime.now, { minutes: 5 })
    for (let number = 0; number < 3; number++) {
      yield* UnpaidGasStore.use((store) =>
        store.record(aGasEntry({ projectId: project.id, walletAddress: wallet, owner, at: gasEntryAt }))
      )
    }
    yield* UnpaidGasStore.use((store) => store.record(aGasEntry({ at: DateTime.subtract(gasEntryAt, { days: 1 }) })))
  })
  await Effect.runPromise(Effect.provide(recordGasEntries, layerSqlite(sandboxDatabaseFile(home))))
})
afterAll(() => removeHome(home))

describe("operator unpaid-gas and operator forgive", () => {
  it("list the unpaid gas of wallets, and reset it", async () => {
    const listOutcome = await runOperator("unpaid-gas")
    assertCode(listOutcome, 0)
    const [head, first, second, ...rest] = listOutcome.out.trim().split("\n")
    assert.match(head!, /^PROJECT +WALLET +OWNER +CHAIN +LOST NOW +TOTAL +LAST +STATE$/u)
    assert.include(first!, `${project.id}  ${wallet}  ${owner}  137`)
    assert.match(first!, / \$5\.98 +\$6, 0\.003 POL in 3 .+ stopped for \d+ s \(wallet\)$/u)
    assert.match(second!, / \$\d\.?\d* +\$2, 0\.001 POL in 1 .+ free$/u)
    assert.deepStrictEqual(rest, [])

    const shopGasEntries = jsonOf(await runOperator("unpaid-gas", "--project", "Shop", "--json")) as ReadonlyArray<{
      readonly walletAddress: string
      readonly wei: string
    }>
    assert.deepStrictEqual(
      shopGasEntries.map(({ walletAddress, wei }) => [walletAddress, wei]),
      [[wallet, "3000000000000000"]]
    )

    for (const words of [[], ["--wallet", wallet, "--owner", owner]]) {
      const refusal = await runOperator("forgive", ...words)
      assertCode(refusal, 4)
      assert.include(refusal.err, "Use exactly one of --wallet, --owner and --project.")
    }
    const forgiveOutcome = await runOperator("forgive", "--wallet", wallet)
    assertCode(forgiveOutcome, 0)
    assert.strictEqual(forgiveOutcome.out, "Forgiven: 3. They no longer count toward the limits.\n")
    assert.deepStrictEqual(jsonOf(await runOperator("forgive", "--project", "Shop", "--json")), { forgiven: 0 })
    assert.match((await runOperator("unpaid-gas", "--project", "Shop")).out, / \$0 +\$6, 0\.003 POL in 3 .+ free\n$/u)
  })
})
