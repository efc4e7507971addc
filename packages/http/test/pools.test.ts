import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { USDC, WETH } from "./support/accounts.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Pools and what happens in them, as clients see it. */

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

interface Stats {
  readonly transactionsCount: number | null
  readonly complete: boolean
}

interface Pool {
  readonly id: string
  readonly fee: number
  readonly totalValueLockedUSD: string
  readonly stats: Stats
}

const get = (path: string) => service.request("GET", `/api/v1/liquidity/${path}`)

const poolsBy = async (query: string): Promise<ReadonlyArray<Pool>> => {
  const { body, status } = await get(`pools?${query}`)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.pools
}

const WETH_USDC = `chainId=1&token0=${WETH}&token1=${USDC}`

/** The pool once its figures are as expected. */
const poolOnce = async (path: string, holds: (stats: Stats) => boolean): Promise<Pool> => {
  const deadline = Date.now() + 15_000
  for (;;) {
    const { body, status } = await get(path)
    assert.strictEqual(status, 200, JSON.stringify(body))
    if (holds(body.pool.stats)) return body.pool
    assert.isBelow(Date.now(), deadline, JSON.stringify(body.pool.stats))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe("GET /api/v1/liquidity/pools", () => {
  it("finds the pools of two tokens, the most valuable first, in either order and by fee", async () => {
    const pools = await poolsBy(WETH_USDC)
    assert.deepStrictEqual(
      pools.map(({ fee }) => fee),
      [0.05, 0.3, 1]
    )
    assert.deepStrictEqual(await poolsBy(`chainId=1&token0=${USDC}&token1=${WETH}`), pools)
    assert.deepStrictEqual(await poolsBy(`${WETH_USDC}&fee=0.3`), [pools[1]!])
  })
})

describe("GET /api/v1/liquidity/pools/{id}", () => {
  it("counts from the first request on", async () => {
    const [found] = await poolsBy(WETH_USDC)
    const first = (await get(`pools/${found!.id}`)).body.pool
    assert.isNull(first.stats.transactionsCount)
    const { stats } = await poolOnce(
      `pools/${found!.id}`,
      ({ complete, transactionsCount }) => complete && transactionsCount !== null
    )
    assert.isAbove(stats.transactionsCount!, 0)
  })
})
