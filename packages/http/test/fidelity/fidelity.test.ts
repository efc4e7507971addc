import { assert, describe, it } from "@effect/vitest"
import { seedOf, shortOrLong } from "../../../core/test/support/longTests.ts"
import { runFidelity } from "./FidelityRun.ts"

describe("a quote", { timeout: 420_000 }, () => {
  it("equals its execution, to the unit", async () => {
    const seed = seedOf("FIDELITY_SEED")
    const swaps = Number(process.env.FIDELITY_SWAPS ?? shortOrLong(88, 570))
    const report = await runFidelity({ swaps, seed, chainIds: [1, 56, 137, 43114] })
    console.log(`fidelity: seed ${seed}`, report)
    assert.deepStrictEqual(report.problems, [], `seed ${seed}`)
    assert.isAbove(report.executedCount, swaps * 0.8)
    assert.isAbove(report.stale, 0)
  })
})
