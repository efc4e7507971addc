import { assert, describe, it } from "@effect/vitest"
import { seedOf, shortOrLong } from "../../../core/test/support/longTests.ts"
import { type KillOptions, runKills } from "./KillRun.ts"

/** The short form of `npm run kill-test`, which kills as often as it is told. */

const assertNothingLost = async (options: Pick<KillOptions, "database" | "processes" | "points" | "isSteady">) => {
  const seed = seedOf("KILL_SEED")
  const report = await runKills({ ...options, clients: 4, seed })
  assert.deepStrictEqual(report.problems, [], `seed ${seed}`)
  assert.isAbove(report.promised, 0)
}

describe("killed at random instants", { timeout: 420_000 }, () => {
  it("one process on SQLite loses nothing and does nothing twice", () =>
    assertNothingLost({ database: "sqlite", processes: 1, points: shortOrLong(6, 40), isSteady: true }))

  it("three processes on Postgres neither, on a chain that takes blocks back", () =>
    assertNothingLost({ database: "postgres", processes: 3, points: shortOrLong(4, 20), isSteady: false }))
})
