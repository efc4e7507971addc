import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import {
  decodeFunctionResult,
  encodeFunctionData,
  formatUnits,
  type Hex,
  maxUint128,
  maxUint256,
  parseAbi,
  parseUnits
} from "viem"
import { waitUntil } from "../../core/test/support/until.ts"
import { createClient } from "../src/client/index.ts"
import { registerOneOfEachKind, USDC, WETH } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Tests pools, positions and their income as clients see them. */

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

interface Stats {
  readonly rangeInDays: number
  readonly transactionsCount: number | null
  readonly volumeInUSD: string | null
  readonly feesInUSD: string | null
  readonly volumes: ReadonlyArray<string> | null
  readonly fees: ReadonlyArray<string> | null
  readonly indexedFrom: string | null
  readonly complete: boolean
}

interface Pool {
  readonly id: string
  readonly address: Hex
  readonly fee: number
  readonly totalValueLockedUSD: string
  readonly tokens: ReadonlyArray<{
    readonly address: string
    readonly poolShareInPercentage: number
    readonly poolShare: number
    readonly amount: string
  }>
  readonly stats: Stats
}

const get = (path: string) => service.request("GET", `/api/v1/liquidity/${path}`)

const listPools = async (query: string): Promise<ReadonlyArray<Pool>> => {
  const { body, status } = await get(`pools?${query}`)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.pools
}

const WETH_USDC = `chainId=1&token0=${WETH}&token1=${USDC}`
const MANAGER = "0xc36442b4a4522e871399cd717abdd847ab11fe88"
const ROUTER = "0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45"

/** Polls the pool until its statistics meet the condition. */
const waitForPool = (path: string, isExpected: (stats: Stats) => boolean): Promise<Pool> =>
  waitUntil(
    async () => {
      const { body, status } = await get(path)
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body.pool
    },
    ({ stats }) => isExpected(stats)
  )

const isCounted = ({ complete, transactionsCount }: Stats) => complete && transactionsCount !== null

const abi = parseAbi([
  "struct Swap { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "function exactInputSingle(Swap params) payable returns (uint256 amountOut)",
  "function approve(address spender, uint256 amount) returns (bool)",
  "struct Collect { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }",
  "function collect(Collect params) payable returns (uint256 amount0, uint256 amount1)",
  "struct Decrease { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }",
  "function decreaseLiquidity(Decrease params) payable returns (uint256 amount0, uint256 amount1)",
  "function liquidity() view returns (uint128)"
])

const callRpc = (method: string, ...params: ReadonlyArray<unknown>) =>
  askChain(service.chains.rpcUrl(1), method, ...params)

const send = async (to: Hex, data: Hex) => {
  const from = service.chains.keys.treasury.address
  await callRpc("anvil_impersonateAccount", from)
  const hash = await callRpc("eth_sendTransaction", { from, to, data, gas: "0x1c9c380" })
  for (;;) {
    const receipt = await callRpc("eth_getTransactionReceipt", hash)
    if (receipt !== null) return assert.strictEqual(receipt.status, "0x1")
  }
}

const approve = (token: Hex) =>
  send(token, encodeFunctionData({ abi, functionName: "approve", args: [ROUTER, maxUint256] }))

/** Swaps as the treasury in the pool of USDC and WETH with the fee 0.05 %. */
const swapInPool = (tokenIn: Hex, tokenOut: Hex, amountIn: bigint) =>
  send(
    ROUTER,
    encodeFunctionData({
      abi,
      functionName: "exactInputSingle",
      args: [
        {
          tokenIn,
          tokenOut,
          fee: 500,
          recipient: service.chains.keys.treasury.address,
          amountIn,
          amountOutMinimum: 0n,
          sqrtPriceLimitX96: 0n
        }
      ]
    })
  )

describe("GET /api/v1/liquidity/pools", () => {
  it("returns the pools of two tokens in either order and by fee, the most valuable first", async () => {
    const pools = await listPools(WETH_USDC)
    assert.deepStrictEqual(
      pools.map(({ fee }) => fee),
      [0.05, 0.3, 1]
    )
    assert.deepStrictEqual(await listPools(`chainId=1&token0=${USDC}&token1=${WETH}`), pools)
    assert.deepStrictEqual(await listPools(`${WETH_USDC}&fee=0.3`), [pools[1]!])
    for (const { stats, tokens, totalValueLockedUSD } of pools) {
      const value = Number(tokens[0]!.amount) + Number(tokens[1]!.amount) * 3_000
      assert.closeTo(Number(totalValueLockedUSD), value, value / 100)
      assert.strictEqual(tokens[0]!.poolShare + tokens[1]!.poolShare, 1)
      assert.closeTo(tokens[0]!.poolShareInPercentage, tokens[0]!.poolShare * 100, 1e-9)
      assert.isNull(stats.transactionsCount)
    }
  })

  it("returns pools on a chain like Arbitrum without ArbSys", async () => {
    assert.isNotEmpty(await listPools("chainId=42161&take=1"))
  })

  it("returns all pools of the chain's tokens, or of one token, in pages", async () => {
    const allPools = await listPools("chainId=1&take=100")
    const values = allPools.map(({ totalValueLockedUSD }) => Number(totalValueLockedUSD))
    assert.deepStrictEqual(
      values,
      values.toSorted((a, b) => b - a)
    )
    const pagedIds: Array<string> = []
    for (let lastId: string | null = ""; lastId !== null; ) {
      const { body } = await get(`pools?chainId=1&take=5${lastId === "" ? "" : `&lastId=${lastId}`}`)
      assert.isAtMost(body.pools.length, 5)
      pagedIds.push(...body.pools.map(({ id }: Pool) => id))
      lastId = body.nextLastId
    }
    assert.deepStrictEqual(
      pagedIds,
      allPools.map(({ id }) => id)
    )
    const usdcPools = await listPools(`chainId=1&token1=${USDC}&take=100`)
    assert.deepStrictEqual(
      usdcPools,
      allPools.filter(({ tokens }) => tokens.some(({ address }) => address === USDC))
    )
  })
})

describe("GET /api/v1/liquidity/pools/{id}", () => {
  it("starts its statistics at the first request, and then counts the pool's swaps", async () => {
    const [listedPool] = await listPools(WETH_USDC)
    const path = `pools/${listedPool!.id}`
    const firstPool = (await get(path)).body.pool
    assert.deepStrictEqual(firstPool.stats, {
      rangeInDays: 30,
      feesInUSD: null,
      volumeInUSD: null,
      transactionsCount: null,
      volumes: null,
      fees: null,
      indexedFrom: null,
      complete: false
    })
    const previousStats = (await waitForPool(path, isCounted)).stats
    assert.strictEqual(previousStats.volumeInUSD, "0")

    await approve(USDC)
    await approve(WETH)
    await swapInPool(USDC, WETH, 12_345_678_901n)
    await swapInPool(WETH, USDC, 3n * 10n ** 18n + 7n)
    const { stats } = await waitForPool(
      path,
      (currentStats) => currentStats.transactionsCount === previousStats.transactionsCount! + 2
    )
    const [feesUsdc, feesWeth] = stats.fees!
    assert.strictEqual(feesUsdc, formatUnits((12_345_678_901n * 500n + 999_999n) / 1_000_000n, 6))
    assert.strictEqual(feesWeth, formatUnits(((3n * 10n ** 18n + 7n) * 500n + 999_999n) / 1_000_000n, 18))
    // The volume counts only one side of each swap.
    assert.strictEqual(stats.volumeInUSD, stats.volumes![0])
    assert.closeTo(Number(stats.volumeInUSD), 12_345.678901 + 9_000, 50)
    assert.closeTo(Number(stats.feesInUSD), 21_345 * 0.0005, 0.05)
    assert.deepStrictEqual((await get(`${path}?rangeInDays=365`)).body.pool.stats, { ...stats, rangeInDays: 365 })
    assert.deepStrictEqual((await get(`${path}?rangeInDays=1`)).body.pool.stats, { ...stats, rangeInDays: 1 })
    assert.deepStrictEqual((await listPools(WETH_USDC))[0]!.stats, stats)
  })

  it("continues the statistics after a restart of the service", async () => {
    const [listedPool] = await listPools(WETH_USDC)
    const { stats } = await waitForPool(`pools/${listedPool!.id}`, isCounted)
    await service.restart()
    const restartedPool = await waitForPool(`pools/${listedPool!.id}`, isCounted)
    assert.deepStrictEqual(restartedPool.stats, stats)
  })
})

describe("GET /api/v1/liquidity/positions/{chainId}/{tokenId}", () => {
  const call = async (data: Hex, to: Hex = MANAGER, from?: string): Promise<Hex> =>
    callRpc("eth_call", { to, data, ...(from === undefined ? {} : { from }) }, "latest")

  const callManager = async (
    functionName: "collect" | "decreaseLiquidity",
    tokenId: bigint,
    liquidity: bigint,
    owner: Hex
  ) => {
    const data =
      functionName === "collect"
        ? encodeFunctionData({
            abi,
            functionName,
            args: [{ tokenId, recipient: owner, amount0Max: maxUint128, amount1Max: maxUint128 }]
          })
        : encodeFunctionData({
            abi,
            functionName,
            args: [{ tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: maxUint256 }]
          })
    return decodeFunctionResult({ abi, functionName, data: await call(data, MANAGER, owner) })
  }

  it("returns what the contracts would pay, to the unit, and the income", async () => {
    const [listedPool] = await listPools(WETH_USDC)
    const pool = await waitForPool(`pools/${listedPool!.id}?rangeInDays=7`, isCounted)
    const positionsInPool = []
    for (let tokenId = 1n; ; tokenId++) {
      const { body, status } = await get(`positions/1/${tokenId}`)
      const isInPool = status === 200 && body.position.pool.id === pool.id
      if (isInPool) positionsInPool.push({ ...body.position, readAt: Date.now() })
      // Positions of one pool have consecutive ids.
      else if (status === 404 || positionsInPool.length > 0) break
    }
    assert.isAtLeast(positionsInPool.length, 4)
    const activeLiquidity = BigInt(await call(encodeFunctionData({ abi, functionName: "liquidity" }), pool.address))
    for (const position of positionsInPool) {
      const { liquidity, owner, tokenId, tokens } = position
      const unitsOf = (field: string) =>
        tokens.map((token: Record<string, string>, i: number) => parseUnits(token[field]!, [6, 18][i]!))
      const args = [BigInt(tokenId), BigInt(liquidity), owner] as const
      assert.deepStrictEqual(unitsOf("amount"), [...(await callManager("decreaseLiquidity", ...args))])
      assert.deepStrictEqual(unitsOf("unclaimedFees"), [...(await callManager("collect", ...args))])
      assert.deepStrictEqual(unitsOf("earnedFees"), unitsOf("unclaimedFees"))
      assert.isTrue(position.inRange && unitsOf("unclaimedFees")[0] > 0n)
      assert.isTrue(Number(position.range.minPrice) < Number(position.currentPrice))
      assert.isTrue(Number(position.currentPrice) < Number(position.range.maxPrice))
      const feesPerYear = (Number(pool.stats.feesInUSD) * 365) / 7
      const expectedApr = (feesPerYear * Number(liquidity)) / Number(activeLiquidity) / Number(position.valueUSD)
      assert.closeTo(Number(position.estimatedApr), expectedApr * 100, 0.02)
      // The yield divided by the APR is the age of the position. The service rounds this age to full seconds.
      const yieldSeconds = (Number(position.earnedFeesUSD) / Number(position.valueUSD)) * 365 * 86_400 * 100
      const age = (position.readAt - Date.parse(position.createdAt)) / 1_000
      assert.closeTo(yieldSeconds / Number(position.apr), age, 2)
    }
  })
})

describe("the client", () => {
  it("returns pools and positions as the API does", async () => {
    const { liquidity } = createClient({ url: service.baseUrl, apiKey: service.apiKey })
    const pagedIds = []
    for await (const { id } of liquidity.pools({ chainId: 1, take: 4 })) pagedIds.push(id)
    const allPools = await listPools("chainId=1&take=100")
    assert.deepStrictEqual(
      pagedIds,
      allPools.map(({ id }) => id)
    )
    const pool = await liquidity.pool(pagedIds[0]!, { rangeInDays: 9 })
    assert.deepStrictEqual([pool.id, pool.stats.rangeInDays], [pagedIds[0], 9])
    const { owner, tokenId } = await liquidity.position(1, "1")
    assert.deepStrictEqual([owner, tokenId], [service.chains.keys.treasury.address, "1"])
  })
})

describe("POST /api/v1/liquidity", () => {
  it("estimates the income of the new position from the fees of the last seven days", async () => {
    const [, wallet] = await registerOneOfEachKind(service)
    const [listedPool] = await listPools(WETH_USDC)
    const pool = await waitForPool(`pools/${listedPool!.id}?rangeInDays=7`, isCounted)
    const requestCreation = async (maxPrice: number) => {
      const { body, status } = await service.request("POST", "/api/v1/liquidity", {
        walletAddress: wallet!.address,
        toAddress: wallet!.address,
        chainId: 1,
        payGasFeeToken: USDC,
        gasFeePaymentMethod: "ADD_TO_AMOUNT",
        tokenIn: USDC,
        amountIn: "10000",
        token0: WETH,
        token1: USDC,
        poolFeePercent: 0.05,
        minPrice: 2_000,
        maxPrice
      })
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body.operation
    }
    const { estimatedApr, liquidity } = await requestCreation(4_000)
    const activeLiquidity = BigInt(await callRpc("eth_call", { to: pool.address, data: "0x1a686502" }, "latest"))
    const feesPerYear = (Number(pool.stats.feesInUSD) * 365) / 7
    const expectedApr = (feesPerYear * Number(liquidity)) / (Number(activeLiquidity) + Number(liquidity)) / 10_000
    assert.closeTo(Number(estimatedApr), expectedApr * 100, Number(estimatedApr) / 50 + 0.02)
    assert.strictEqual((await requestCreation(2_500)).estimatedApr, "0")
  })
})

describe("bad input", () => {
  const poolId = "1-0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640"
  it.each([
    ["pools/nonsense", 400, "BAD_REQUEST", "path.id", /Expected a pool id/u],
    ["pools/1", 400, "BAD_REQUEST", "path.id", /Expected a pool id/u],
    ["pools/1-0x88e6", 400, "BAD_REQUEST", "path.id", /Expected a pool id/u],
    ["pools/1-0x88E6a0c2ddd26feeb64f039a2c41296fcb3f5640", 400, "BAD_REQUEST", "path.id", /checksum/u],
    ["pools/5-0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640", 400, "BAD_REQUEST", "path.id", /Chain 5 is not supported/u],
    ["pools/0-0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640", 400, "BAD_REQUEST", "path.id", /Bitcoin has no Uniswap V3/u],
    [`pools/1-${USDC}`, 404, "LIQUIDITY_POOL_NOT_FOUND", null, /no Uniswap V3 pool at 0xa0b8/u],
    [`pools/1-0x${"5e".repeat(20)}`, 404, "LIQUIDITY_POOL_NOT_FOUND", null, /no Uniswap V3 pool/u],
    [`pools/${poolId}?rangeInDays=0`, 400, "BAD_REQUEST", "query.rangeInDays", /between 1 and 365/u],
    [`pools/${poolId}?rangeInDays=366`, 400, "BAD_REQUEST", "query.rangeInDays", /between 1 and 365/u],
    [`pools/${poolId}?rangeInDays=1.5`, 400, "BAD_REQUEST", "query.rangeInDays", /whole number/u],
    [`pools/${poolId}?days=5`, 400, "BAD_REQUEST", "query.days", /no such field/u],
    ["pools", 400, "BAD_REQUEST", "query.chainId", /required/u],
    ["pools?chainId=5", 400, "BAD_REQUEST", "query.chainId", /supported chain/u],
    ["pools?chainId=0", 400, "BAD_REQUEST", "query.chainId", /Bitcoin has no Uniswap V3/u],
    ["pools?chainId=1&fee=0.07", 400, "BAD_REQUEST", "query.fee", /Expected one of 0.01, 0.05, 0.3, 1\./u],
    ["pools?chainId=1&fee=abc", 400, "BAD_REQUEST", "query.fee", /Expected a number/u],
    [`pools?chainId=1&token0=${USDC}&token1=${USDC}`, 400, "BAD_REQUEST", "query.token1", /same/u],
    ["pools?chainId=1&lastId=nonsense", 400, "BAD_REQUEST", "query.lastId", /nextLastId/u],
    [`pools?chainId=1&token0=0x${"5e".repeat(20)}`, 400, "NOT_AUTHORIZED_TOKENS", null, /token0 0x5e5e/u],
    ["positions/1/99999", 404, "LIQUIDITY_POSITION_NOT_FOUND", null, /no Uniswap V3 position 99999 on Ethereum/u],
    [`positions/1/${2n ** 256n}`, 400, "BAD_REQUEST", "path.tokenId", /below 2\^256/u],
    ["positions/1/-1", 400, "BAD_REQUEST", "path.tokenId", /decimal digits/u],
    ["positions/1/01", 400, "BAD_REQUEST", "path.tokenId", /leading zeros/u],
    ["positions/0/1", 400, "BAD_REQUEST", "path.chainId", /Bitcoin has no Uniswap V3/u],
    ["positions/77/1", 400, "BAD_REQUEST", "path.chainId", /supported chain/u]
  ] as const)("%s is %i %s", async (path, status, id, problemPath, sentence) => {
    const { body, status: responseStatus } = await get(path)
    assert.strictEqual(responseStatus, status, JSON.stringify(body))
    assert.strictEqual(body.id, id)
    assert.match(body.message, sentence)
    if (problemPath !== null)
      assert.include(
        body.errors.map((each: { readonly path: string }) => each.path),
        problemPath
      )
  })
})
