import { UnpaidGasLimits } from "@countersign/core/operations/unpaid-gas"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { SeededRandom } from "./kill/SeededRandom.ts"
import { PoolLoad } from "./load/PoolLoad.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/**
 * A budget without practical limit, because on a slow machine the pending operations of all wallets could leave more
 * gas unpaid than the default budget.
 */
const gasLimits = {
  ...UnpaidGasLimits.defaultValue(),
  projectUsdE6PerDay: 10n ** 12n,
  operatorUsdE6PerDay: 10n ** 12n
}
const WALLET_COUNT = 16
const TRADES_EACH = 2

let service: TestService

beforeAll(async () => {
  service = await startTestService({ unpaidGasLimits: gasLimits })
})
afterAll(() => service.stop())

describe(`${WALLET_COUNT} wallets that trade one pool`, () => {
  it("get quotes, or an error that states that the pool moved, and complete their swaps", async () => {
    const { fund, request } = service
    const sendRequest = (path: string, body?: object) => request(body === undefined ? "GET" : "POST", path, body)
    const load = new PoolLoad({ ask: sendRequest, fund }, new SeededRandom(1))
    const wallets = await load.wallets(WALLET_COUNT)
    await Promise.all(wallets.map((wallet) => load.trade(wallet, (trades) => trades === TRADES_EACH)))
    assert.deepStrictEqual(load.problems, [])
    assert.strictEqual(load.counts.completed, WALLET_COUNT * TRADES_EACH)
  })
})
