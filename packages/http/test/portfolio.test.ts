import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { formatUnits } from "viem"
import { registerOneOfEachKind, swapOf, type TestWallet, USDC, WETH } from "./support/accounts.ts"
import { balanceOf } from "./support/balances.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** What a wallet holds and has gained, on real contracts. */

let service: TestService
let wallet: TestWallet
let requests = 0

beforeAll(async () => {
  service = await startTestService({ onRpcRequest: () => void requests++ })
  wallet = (await registerOneOfEachKind(service)).find(({ name }) => name === "Safe 1.4.1")!
})
afterAll(() => service.stop())

const portfolioOf = (address: string, query = "") =>
  service.request("GET", `/api/v1/wallets/${address}/portfolio${query}`)

// biome-ignore lint/suspicious/noExplicitAny: the tests look at bodies as a client without our types does.
const of = (tokens: ReadonlyArray<any>, address: string) => tokens.find((token) => token.address === address)

const execute = async (changes: Record<string, unknown>) => {
  const { body } = await service.request("POST", "/api/v1/crypto/swap", swapOf(wallet, changes))
  const [quote] = body.quotes
  const { status } = await service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash: quote.userOperationHash,
    ...(await service.signatures(wallet.privateKey, quote.signData))
  })
  assert.strictEqual(status, 200)
  return service.settled(wallet.address, quote.userOperationHash)
}

describe("a wallet's portfolio", () => {
  it("is what the chain says that it holds, at the market's prices, by one request to its node", async () => {
    await portfolioOf(wallet.address)
    requests = 0
    const { body, status } = await portfolioOf(wallet.address, "?includeTokens=true")
    assert.strictEqual(status, 200)
    assert.strictEqual(requests, 1)
    const usdc = of(body.tokens, USDC)
    const balance = await balanceOf(service, USDC, wallet.address)
    assert.strictEqual(usdc.balance, String(balance))
    assert.strictEqual(usdc.balanceFormatted, formatUnits(balance, 6))
    assert.closeTo(Number(usdc.balanceUsd), Number(usdc.balanceFormatted) * Number(usdc.priceUsd), 0.000001)
    assert.strictEqual(usdc.chain.id, 1)
    assert.isNull(usdc.pnl)
    assert.deepStrictEqual([body.portfolio, body.pnl, body.lendingPositions, body.unread], [[], null, [], []])
  })

  it("is that of any address, also of one without anything", async () => {
    const { body, status } = await portfolioOf(
      `0x${"5".repeat(40)}`,
      "?includeTokens=true&includePnL=true&timerange=all"
    )
    assert.strictEqual(status, 200)
    assert.deepStrictEqual([body.tokens, body.portfolio], [[], []])
    assert.deepStrictEqual(body.pnl, { timerange: "all", total: { totalUsd: "0" } })
  })

  it("has profit and loss by the swaps that were executed, and their sum", async () => {
    const bought = await execute({ amountIn: "300" })
    const { body } = await portfolioOf(wallet.address, "?includePnL=true&timerange=all")
    assert.deepStrictEqual(body.tokens, [])
    const [usdc, weth] = [of(body.portfolio, USDC), of(body.portfolio, WETH)]
    const received = Number(bought.receivedAmount.amount)
    assert.closeTo(Number(weth.pnl.inflowUsd), received * Number(weth.priceUsd), 0.01)
    assert.strictEqual(weth.pnl.outflowUsd, "0")
    assert.closeTo(Number(weth.pnl.averageBuyPriceUsd), Number(weth.priceUsd), 0.01)
    assert.closeTo(Number(weth.pnl.profitAbsUsd), 0, 0.01)
    // What the faucet gave came in by no movement: it has no cost, and what it paid for has no profit.
    assert.isAbove(Number(usdc.pnl.outflowUsd), 299)
    assert.strictEqual(usdc.pnl.profitAbsUsd, "0")
    assert.isNull(usdc.pnl.averageBuyPriceUsd)
    assert.closeTo(Number(body.pnl.total.totalUsd), Number(weth.pnl.profitAbsUsd), 0.000001)

    await execute({ tokenIn: WETH, tokenOut: USDC, amountIn: bought.receivedAmount.amount })
    const after = (await portfolioOf(wallet.address, "?includePnL=true&timerange=1d")).body
    const sold = of(after.portfolio, WETH)
    assert.isBelow(Number(sold.pnl.profitAbsUsd), 0.01)
    assert.closeTo(Number(sold.pnl.profitAbsUsd), Number(sold.pnl.outflowUsd) - Number(sold.pnl.inflowUsd), 0.000002)
    assert.match(sold.pnl.roi, /^-?\d+(\.\d\d?)?$/u)
    assert.strictEqual(sold.pnl.timerange, "1d")
  })

  it("has profit over a day that began with a balance, and a chart of what it was worth", async () => {
    const bought = await execute({ amountIn: "300" })
    await service.advanceClock(2 * 86_400)
    const { body } = await portfolioOf(wallet.address, "?includePnL=true&timerange=1d")
    const weth = of(body.portfolio, WETH)
    assert.strictEqual(weth.pnl.inflowUsd, "0")
    // The market's price of a day ago is within a tenth of the pools'.
    const value = Number(bought.receivedAmount.amount) * Number(weth.priceUsd)
    assert.closeTo(Number(weth.pnl.profitAbsUsd), 0, value / 5)
    assert.notStrictEqual(weth.pnl.profitAbsUsd, "0")
    assert.deepStrictEqual([weth.priceSource, weth.priceStale], ["AVERAGE", false])

    const { body: chart, status } = await portfolioOf(wallet.address, "/chart?timerange=7d")
    assert.strictEqual(status, 200)
    assert.deepStrictEqual([chart.timerange, chart.leftOut, chart.unread], ["7d", [], []])
    assert.isAtLeast(chart.points.length, 40)
    const total = body.portfolio.reduce(
      (sum: number, token: { balanceUsd: string }) => sum + Number(token.balanceUsd),
      0
    )
    assert.closeTo(Number(chart.points.at(-1).valueUsd), total, total / 100)
    for (const { valueUsd } of chart.points) assert.closeTo(Number(valueUsd), total, total / 5)
    const again = (await portfolioOf(wallet.address, "/chart?timerange=7d")).body
    assert.deepStrictEqual(again.points.slice(0, -1), chart.points.slice(0, -1))
  })

  it("comes with a history whose values are in all 62 currencies, by the rates of their day", async () => {
    const historyOf = async () =>
      (await service.request("GET", `/api/v1/wallets/${wallet.address}/history`)).body.transactions[0].sentAmount
        .amountIn
    const values = await historyOf()
    assert.lengthOf(Object.keys(values), 62)
    assert.notInclude(Object.values(values), null)
    assert.closeTo(Number(values.brl), Number(values.usd) * 5.4, 0.001)
    assert.closeTo(Number(values.sats), Number(values.btc) * 1e8, 2)
    assert.deepStrictEqual(await historyOf(), values)
  })

  it("names a chain that does not answer, and tells the rest", async () => {
    service.takeNodeDown(true)
    const { body, status } = await portfolioOf(
      wallet.address,
      "?includeTokens=true&includePnL=true&includeLendingPositions=true&timerange=all"
    )
    service.takeNodeDown(false)
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(body.tokens, [])
    assert.isAbove(body.unread.length, 0)
    assert.isTrue(body.unread.every(({ chain }: { chain: { id: number } }) => chain.id === 1))
  })

  it.each([
    ["?includeNFTs=true", "query.includeNFTs"],
    ["?timerange=2d", "query.timerange"],
    ["?includePnL=yes", "query.includePnL"]
  ])("is refused for %s", async (query, path) => {
    const { body, status } = await portfolioOf(wallet.address, query)
    assert.deepStrictEqual([status, body.id], [400, "BAD_REQUEST"])
    assert.include(JSON.stringify(body), path)
  })

  it("is refused for an address of Bitcoin, whose balances are not read yet", async () => {
    const { body, status } = await portfolioOf("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")
    assert.deepStrictEqual([status, body.id], [400, "BAD_REQUEST"])
  })
})
