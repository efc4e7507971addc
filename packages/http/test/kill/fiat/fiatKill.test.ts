import { assert, describe, it } from "@effect/vitest"
import { seedOf, shortOrLong } from "../../../../core/test/support/longTests.ts"
import type { KillOptions } from "../KillRun.ts"
import { runFiatKills } from "./FiatKillRun.ts"

/** Runs a short form of `npm run kill-test -- --fiat`. */

const assertExactLedger = async (options: Pick<KillOptions, "database" | "processes" | "points">) => {
  const seed = seedOf("KILL_SEED")
  const report = await runFiatKills({ ...options, isSteady: true, clients: 4, seed })
  assert.deepStrictEqual(report.problems, [], `seed ${seed}`)
  assert.isAbove(report.orders.size, 0)
}

describe("a service that is killed during fiat orders", { timeout: 420_000 }, () => {
  it("agrees with the bank's balance to the cent, as one process on SQLite", () =>
    assertExactLedger({ database: "sqlite", processes: 1, points: shortOrLong(2, 40) }))

  it("agrees with it too, as three processes on Postgres", () =>
    assertExactLedger({ database: "postgres", processes: 3, points: shortOrLong(2, 40) }))
})
