import { assert, describe, it } from "@effect/vitest"
import { seedOf, shortOrLong } from "../../../core/test/support/longTests.ts"
import { type KillOptions, runKills } from "./KillRun.ts"

/** Runs a short form of `npm run kill-test`, which has an option for the number of kills. */

const assertNothingLost = async (options: Pick<KillOptions, "database" | "processes" | "points" | "isSteady">) => {
  const seed = seedOf("KILL_SEED")
  const report = await runKills({ ...options, clients: 4, seed })
  assert.deepStrictEqual(report.problems, [], `seed ${seed}`)
  assert.isAbove(report.promised, 0)
}

describe("a service that is killed at random instants", { timeout: 420_000 }, () => {
  it("loses nothing and executes nothing twice, as one process on SQLite", () =>
    assertNothingLost({ database: "sqlite", processes: 1, points: shortOrLong(3, 40), isSteady: true }))

  it("loses nothing either as three processes on Postgres, on a chain with reorgs", () =>
    assertNothingLost({ database: "postgres", processes: 3, points: shortOrLong(2, 20), isSteady: false }))
})
