import { assert, describe, it } from "@effect/vitest"
import { seedOf, shortOrLong } from "../../../../core/test/support/longTests.ts"
import type { KillOptions } from "../KillRun.ts"
import { runFiatKills } from "./FiatKillRun.ts"

/** The short form of `npm run kill-test -- --fiat`. */

const assertToTheCent = async (options: Pick<KillOptions, "database" | "processes" | "points">) => {
  const seed = seedOf("KILL_SEED")
  const report = await runFiatKills({ ...options, isSteady: true, clients: 4, seed })
  assert.deepStrictEqual(report.problems, [], `seed ${seed}`)
  assert.isAbove(report.orders.size, 0)
}

describe("killed while money of banks moves", { timeout: 420_000 }, () => {
  it("one process on SQLite has the bank's money to the cent", () =>
    assertToTheCent({ database: "sqlite", processes: 1, points: shortOrLong(4, 40) }))

  it("three processes on Postgres have it too", () =>
    assertToTheCent({ database: "postgres", processes: 3, points: shortOrLong(4, 40) }))
})
