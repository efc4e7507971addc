import { UnpaidGasLimits } from "@countersign/core/operations/unpaid-gas"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { SeededRandom } from "./kill/SeededRandom.ts"
import { PoolLoad } from "./load/PoolLoad.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/**
 * A budget without practical limit, because on a slow machine the pending operations of all wallets could leave more
 * gas unpaid than the default budget.
 */
const gasEntries = {
  ...UnpaidGasLimits.defaultValue(),
  projectUsdE6PerDay: 10n ** 12n,
  operatorUsdE6PerDay: 10n ** 12n
}
const WALLETS = 16
const TRADES_EACH = 2

let service: TestService

beforeAll(async () => {
  service = await startTestService({ unpaidGasLimits: gasEntries })
})
afterAll(() => service.stop())

describe(`${WALLETS} wallets that trade one pool`, () => {
  it("get quotes, or an error that states that the pool moved, and complete their swaps", async () => {
    const { fund, request } = service
    const ask = (path: string, body?: object) => request(body === undefined ? "GET" : "POST", path, body)
    const load = new PoolLoad({ ask, fund }, new SeededRandom(1))
    const wallets = await load.wallets(WALLETS)
    await Promise.all(wallets.map((wallet) => load.trade(wallet, (trades) => trades === TRADES_EACH)))
    assert.deepStrictEqual(load.problems, [])
    assert.strictEqual(load.counts.completed, WALLETS * TRADES_EACH)
  })
})
