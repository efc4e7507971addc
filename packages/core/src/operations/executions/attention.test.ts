import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { aQuote } from "../quotes/Quote.fixture.ts"
import { delayReportOf, hasNoWorker, NO_WORKER } from "./attention.ts"
import { anExecution } from "./Execution.fixture.ts"
import type { PendingExecution } from "./ExecutionStore.ts"

const aPendingExecution = (changes: Partial<PendingExecution> = {}): PendingExecution => {
  const quote = aQuote()
  return { execution: anExecution({}, quote), quote, dueAt: at(0), claim: null, ...changes }
}

describe("An execution", () => {
  it.each([
    ["is due now", {}, 0, false],
    ["has been due for longer than a worker needs", {}, 15_001, true],
    ["is due later", { dueAt: at(60_000) }, 60_000, false],
    ["is claimed by a worker", { claim: { worker: "a", until: at(30_000) } }, 40_000, false],
    ["was claimed by a worker that died", { claim: { worker: "a", until: at(30_000) } }, 45_001, true]
  ] as const)("that %s", (_, changes, now, expected) => {
    assert.strictEqual(hasNoWorker(aPendingExecution(changes), at(now)), expected)
  })

  it("without a worker waits for a worker, in any stage", () => {
    assert.deepStrictEqual(delayReportOf(aPendingExecution(), at(20_000)), NO_WORKER)
  })

  it.each([
    ["BRIDGE", /the fill/u, /bridge/u],
    ["BANK", /the fill/u, /fiat provider/u],
    ["PAYER", /the fill/u, /^No action/u]
  ] as const)("that waits for %s has its own advice", (waitsFor, waitsForPattern, advicePattern) => {
    const { execution, ...rest } = aPendingExecution()
    const [first, ...laterStages] = execution.stages
    const wait = { waitsFor, awaited: "the fill", lateAt: DateTime.makeUnsafe(0) }
    const lateExecution = { ...rest, execution: { ...execution, stages: [{ ...first!, wait }, ...laterStages] } }
    const attention = delayReportOf(lateExecution, at(0))
    assert.match(attention.waitsFor, waitsForPattern)
    assert.match(attention.whatToDo, advicePattern)
  })

  it("of an earlier version, without a stored wait, is described by its stage", () => {
    const pendingExecution = aPendingExecution()
    assert.include(delayReportOf(pendingExecution, at(0)).waitsFor, pendingExecution.execution.stages[0]!.name)
  })
})
