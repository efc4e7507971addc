import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { shortOrLong } from "../../../core/test/support/longTests.ts"
import { registerOneOfEachKind, type TestWallet } from "../support/accounts.ts"
import { startTestService, type TestService } from "../support/testService.ts"
import { type LoadReport, OperatorAccountLoad } from "./OperatorAccountLoad.ts"

/** Tests that every accepted operation ends, whatever happens to the operator's transactions. */

const LOAD_MS = shortOrLong(1_000, 6_000)
const REORG_DEPTH = 2

let service: TestService
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  service = await startTestService({ finality: () => ({ blocks: 8, pollEveryMs: 250 }) })
  wallets = await registerOneOfEachKind(service)
  // Deploys the accounts first, because only one of two operations that both deploy an account can succeed.
  await new OperatorAccountLoad(service, wallets).deploy()
}, 120_000)
afterAll(() => service.stop())

const assertAllCompleted = (report: LoadReport): void => {
  assert.isAbove(report.acceptedCount, 10)
  assert.strictEqual(report.completed, report.acceptedCount, JSON.stringify(report))
}

const repeatEach = <A>(count: number, ...items: ReadonlyArray<A>): ReadonlyArray<A> =>
  Array.from({ length: count }, () => items).flat()

describe("every operation under load ends", () => {
  const scenarios: ReadonlyArray<{
    readonly name: string
    readonly events: (load: OperatorAccountLoad) => ReadonlyArray<() => Promise<unknown>>
  }> = [
    { name: "without events", events: () => [] },
    {
      name: "through reorgs and a node that drops transactions",
      events: (load) =>
        repeatEach(
          5,
          () => load.chain.reorg(REORG_DEPTH),
          () => load.chain.dropOne()
        )
    },
    {
      name: "through the same events and a restart",
      events: (load) => [
        () => load.chain.dropOne(),
        () => load.chain.reorg(REORG_DEPTH),
        () => service.restart(),
        () => load.chain.reorg(REORG_DEPTH),
        () => load.chain.dropOne()
      ]
    },
    {
      name: "through a fee spike",
      events: (load) => [() => load.spike(20n), () => load.chain.reorg(REORG_DEPTH), () => load.chain.dropOne()]
    },
    {
      name: "next to transactions of another program with the same key",
      events: (load) =>
        repeatEach(
          4,
          () => load.sendForeign(),
          () => load.chain.dropOne(),
          () => load.chain.reorg(REORG_DEPTH)
        )
    }
  ]

  it.each(scenarios)("$name", async ({ events }) => {
    const load = new OperatorAccountLoad(service, wallets)
    assertAllCompleted(await load.run(LOAD_MS, events(load)))
  })
})
