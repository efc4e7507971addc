import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { sandboxTokens } from "@countersign/adapters/sandbox"
import { Address } from "@countersign/core/foundation/primitives"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { encodeAbiParameters, encodeFunctionData, erc721Abi, formatUnits, type Hex, numberToHex } from "viem"
import { waitUntil } from "../../core/test/support/until.ts"
import { registerOneOfEachKind, swapOf, type TestWallet, USDC, WETH } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { balanceOf } from "./support/balances.ts"
import { stubContract } from "./support/stubContract.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Tests a wallet's balances and profit, on real contracts. */

let service: TestService
let wallet: TestWallet
let requestCount = 0
let metadataServer: Server

const PICTURES_CONTRACT = `0x${"51".repeat(20)}`
const ITEMS_CONTRACT = `0x${"52".repeat(20)}`
const MANAGER = "0xc36442b4a4522e871399cd717abdd847ab11fe88"
const DESCRIPTOR = "0x91ae842a5ffd8d12023116943e72a606179294f3"

beforeAll(async () => {
  metadataServer = createServer(
    (_, response) => void response.end(JSON.stringify({ name: "A page", image: "ipfs://bafy/1.png" }))
  )
  await new Promise<void>((resolve) => metadataServer.listen(0, "127.0.0.1", resolve))
  service = await startTestService({
    onRpcRequest: () => void requestCount++,
    nfts: {
      collections: [
        { chainId: 1, contract: Address.make(PICTURES_CONTRACT), ids: null },
        { chainId: 1, contract: Address.make(ITEMS_CONTRACT), ids: [7n, 8n] }
      ],
      ipfsGateway: "https://gateway.example/ipfs"
    }
  })
  wallet = (await registerOneOfEachKind(service)).find(({ name }) => name === "Safe 1.4.1")!
})
afterAll(async () => {
  await service.stop()
  metadataServer.close()
})

const callRpc = (method: string, ...params: ReadonlyArray<unknown>) =>
  askChain(service.chains.rpcUrl(1), method, ...params)
const encodeText = (value: string) => encodeAbiParameters([{ type: "string" }], [value])
const encodeNumber = (value: bigint) => numberToHex(value, { size: 32 })

/** Builds a contract that returns the metadata of one NFT to any caller. */
const picturesContract = (uri: string, count = 1n) =>
  stubContract({
    "name()": encodeText("Pictures"),
    "symbol()": encodeText("PIC"),
    "balanceOf(address)": encodeNumber(count),
    "tokenOfOwnerByIndex(address,uint256)": encodeNumber(42n),
    "tokenURI(uint256)": encodeText(uri)
  })

/**
 * Sends a Uniswap V3 position to an account without other positions, because a node needs a long time to render the
 * images of many positions.
 */
const givePosition = async (tokenId: bigint, from: string, to: string) => {
  await callRpc("anvil_impersonateAccount", from)
  await callRpc("anvil_setBalance", from, numberToHex(10n ** 18n))
  const args = [from as Hex, to as Hex, tokenId] as const
  const data = encodeFunctionData({ abi: erc721Abi, functionName: "transferFrom", args })
  const { status } = await callRpc("eth_sendTransactionSync", { from, to: MANAGER, data })
  assert.strictEqual(status, "0x1")
}

const requestPortfolio = (address: string, query = "") =>
  service.request("GET", `/api/v1/wallets/${address}/portfolio${query}`)

// biome-ignore lint/suspicious/noExplicitAny: the tests read bodies as a client without generated types does.
const tokenOf = (tokens: ReadonlyArray<any>, address: string) => tokens.find((token) => token.address === address)

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
  it("contains the on-chain balances at market prices, with one request to the node", async () => {
    await requestPortfolio(wallet.address)
    requestCount = 0
    const { body, status } = await requestPortfolio(wallet.address, "?includeTokens=true")
    assert.strictEqual(status, 200)
    assert.strictEqual(requestCount, 1)
    const usdc = tokenOf(body.tokens, USDC)
    const balance = await balanceOf(service, USDC, wallet.address)
    assert.strictEqual(usdc.balance, String(balance))
    assert.strictEqual(usdc.balanceFormatted, formatUnits(balance, 6))
    assert.closeTo(Number(usdc.balanceUsd), Number(usdc.balanceFormatted) * Number(usdc.priceUsd), 0.000001)
    assert.strictEqual(usdc.chain.id, 1)
    assert.isNull(usdc.pnl)
    assert.deepStrictEqual([body.portfolio, body.pnl, body.lendingPositions, body.unread], [[], null, [], []])
  })

  it("has all balances next to a token that uses up the gas, reverts, or returns something else", async () => {
    const owner = `0x${"8".repeat(40)}` as const
    const [hostileToken, ...others] = sandboxTokens(1).filter(({ role }) => role !== "native")
    for (const { address } of others) await service.fund(owner, address, 5n)
    const code = await callRpc("eth_getCode", hostileToken!.address, "latest")
    for (const contractCode of [
      "0xfe",
      "0x5f5ffd",
      stubContract({ "balanceOf(address)": "0x01" }),
      stubContract({ "balanceOf(address)": `0x${"00".repeat(1_000_000)}` })
    ] as const) {
      await callRpc("anvil_setCode", hostileToken!.address, contractCode)
      const { body } = await requestPortfolio(owner, "?includeTokens=true")
      const balances = body.tokens.map(({ address, balance }: Record<string, string>) => [address, balance])
      assert.sameDeepMembers(
        balances,
        others.map(({ address }) => [address, "5"]),
        contractCode.slice(0, 20)
      )
    }
    await callRpc("anvil_setCode", hostileToken!.address, code)
  })

  it("works for any address, also an empty one", async () => {
    const { body, status } = await requestPortfolio(
      `0x${"5".repeat(40)}`,
      "?includeTokens=true&includePnL=true&timerange=all"
    )
    assert.strictEqual(status, 200)
    assert.deepStrictEqual([body.tokens, body.portfolio], [[], []])
    assert.deepStrictEqual(body.pnl, { timerange: "all", total: { totalUsd: "0", incomplete: [] } })
  })

  it("has the profit and loss of executed swaps, and their sum", async () => {
    const buyTransaction = await execute({ amountIn: "300" })
    const { body } = await requestPortfolio(wallet.address, "?includePnL=true&timerange=all")
    assert.deepStrictEqual(body.tokens, [])
    const [usdc, weth] = [tokenOf(body.portfolio, USDC), tokenOf(body.portfolio, WETH)]
    const receivedAmount = Number(buyTransaction.receivedAmount.amount)
    assert.closeTo(Number(weth.pnl.inflowUsd), receivedAmount * Number(weth.priceUsd), 0.01)
    assert.strictEqual(weth.pnl.outflowUsd, "0")
    assert.closeTo(Number(weth.pnl.averageBuyPriceUsd), Number(weth.priceUsd), 0.01)
    assert.closeTo(Number(weth.pnl.profitAbsUsd), 0, 0.01)
    // The faucet's tokens arrived without a movement. So they have no cost, and spending them causes no profit.
    assert.isAbove(Number(usdc.pnl.outflowUsd), 299)
    assert.strictEqual(usdc.pnl.profitAbsUsd, "0")
    assert.isNull(usdc.pnl.averageBuyPriceUsd)
    assert.closeTo(Number(body.pnl.total.totalUsd), Number(weth.pnl.profitAbsUsd), 0.000001)

    await execute({ tokenIn: WETH, tokenOut: USDC, amountIn: buyTransaction.receivedAmount.amount })
    const portfolioAfter = (await requestPortfolio(wallet.address, "?includePnL=true&timerange=1d")).body
    const soldToken = tokenOf(portfolioAfter.portfolio, WETH)
    assert.isBelow(Number(soldToken.pnl.profitAbsUsd), 0.01)
    assert.closeTo(
      Number(soldToken.pnl.profitAbsUsd),
      Number(soldToken.pnl.outflowUsd) - Number(soldToken.pnl.inflowUsd),
      0.000002
    )
    assert.match(soldToken.pnl.roi, /^-?\d+(\.\d\d?)?$/u)
    assert.strictEqual(soldToken.pnl.timerange, "1d")
  })

  it("has the profit over a day that began with a balance, and a chart of its value", async () => {
    const buyTransaction = await execute({ amountIn: "300" })
    await service.advanceClock(2 * 86_400)
    const { body } = await requestPortfolio(wallet.address, "?includePnL=true&timerange=1d")
    const weth = tokenOf(body.portfolio, WETH)
    assert.strictEqual(weth.pnl.inflowUsd, "0")
    // The market price of a day ago differs from the pools' price by less than 20 %.
    const value = Number(buyTransaction.receivedAmount.amount) * Number(weth.priceUsd)
    assert.closeTo(Number(weth.pnl.profitAbsUsd), 0, value / 5)
    assert.notStrictEqual(weth.pnl.profitAbsUsd, "0")
    assert.deepStrictEqual([weth.priceSource, weth.priceStale], ["AVERAGE", false])

    const { body: chart, status } = await requestPortfolio(wallet.address, "/chart?timerange=7d")
    assert.strictEqual(status, 200)
    assert.deepStrictEqual([chart.timerange, chart.leftOut, chart.unread], ["7d", [], []])
    assert.isAtLeast(chart.points.length, 40)
    const total = body.portfolio.reduce(
      (sum: number, token: { balanceUsd: string }) => sum + Number(token.balanceUsd),
      0
    )
    assert.closeTo(Number(chart.points.at(-1).valueUsd), total, total / 100)
    for (const { valueUsd } of chart.points) assert.closeTo(Number(valueUsd), total, total / 5)
    const secondChart = (await requestPortfolio(wallet.address, "/chart?timerange=7d")).body
    assert.deepStrictEqual(secondChart.points.slice(0, -1), chart.points.slice(0, -1))
  })

  it("has history values in all 62 currencies, at the rates of each day", async () => {
    const readHistoryValues = async () =>
      (await service.request("GET", `/api/v1/wallets/${wallet.address}/history`)).body.transactions[0].sentAmount
        .amountIn
    const values = await readHistoryValues()
    assert.lengthOf(Object.keys(values), 62)
    assert.notInclude(Object.values(values), null)
    assert.closeTo(Number(values.brl), Number(values.usd) * 5.4, 0.001)
    assert.closeTo(Number(values.sats), Number(values.btc) * 1e8, 2)
    assert.deepStrictEqual(await readHistoryValues(), values)
  })

  it("names a chain that does not respond, and has the others", async () => {
    service.takeNodeDown(true)
    const { body, status } = await requestPortfolio(
      wallet.address,
      "?includeTokens=true&includePnL=true&includeLendingPositions=true&timerange=all"
    )
    service.takeNodeDown(false)
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(body.tokens, [])
    assert.isAbove(body.unread.length, 0)
    assert.isTrue(body.unread.every(({ chain }: { chain: { id: number } }) => chain.id === 1))
  })

  it("contains the sections that the query requests, and balances by default", async () => {
    const sectionsOf = async (query: string) => {
      const { body } = await requestPortfolio(wallet.address, query)
      return [body.tokens.length > 0, body.pnl !== null]
    }
    assert.deepStrictEqual(await sectionsOf(""), [true, false])
    assert.deepStrictEqual(await sectionsOf("?includeTokens=false"), [false, false])
    assert.deepStrictEqual(await sectionsOf("?includePnL=false"), [true, false])
    assert.deepStrictEqual(await sectionsOf("?includePnL=true"), [false, true])
    assert.deepStrictEqual(await sectionsOf("?includeTokens=true&includePnL=true"), [true, true])
  })

  it.each([
    ["?includeNFTs=2", "query.includeNFTs"],
    ["?timerange=2d", "query.timerange"],
    ["?includePnL=yes", "query.includePnL"]
  ])("is rejected for %s", async (query, path) => {
    const { body, status } = await requestPortfolio(wallet.address, query)
    assert.deepStrictEqual([status, body.id], [400, "BAD_REQUEST"])
    assert.include(JSON.stringify(body), path)
  })

  it("contains positions of Uniswap as NFTs with their images, and with amounts and unclaimed fees", async () => {
    const { owner: makerAddress } = (await service.request("GET", "/api/v1/liquidity/positions/1/1")).body.position
    const owner = `0x${"7".repeat(40)}`
    await givePosition(1n, makerAddress, owner)
    const { body, status } = await requestPortfolio(owner, "?includeNFTs=true")
    assert.strictEqual(status, 200)
    assert.deepStrictEqual([body.tokens, body.unread], [[], []])
    const [nft] = body.nfts
    const { position } = (await service.request("GET", `/api/v1/liquidity/positions/1/${nft.tokenId}`)).body
    assert.strictEqual(nft.address, MANAGER)
    assert.strictEqual(nft.collection.symbol, "UNI-V3-POS")
    assert.match(nft.name, /^Uniswap - /u)
    assert.match(nft.image, /^data:image\/svg\+xml;base64,/u)
    assert.deepStrictEqual([nft.amount, nft.chain.id], ["1", 1])
    const shownPosition = body.liquidityPositions.find((each: { tokenId: string }) => each.tokenId === nft.tokenId)
    assert.deepStrictEqual(
      [shownPosition.owner, shownPosition.range, shownPosition.tokens],
      [owner, position.range, position.tokens]
    )
    assert.lengthOf(body.nfts, 1)
    // The list is empty if a busy node does not render all images within the 4 s that a portfolio waits for a chain.
    assert.isAtMost((await requestPortfolio(makerAddress, "?includeNFTs=true")).body.nfts.length, 50)
  })

  it("contains NFTs of listed collections, with metadata from the contract or its web page", async () => {
    const owner = `0x${"6".repeat(40)}`
    const { port } = metadataServer.address() as AddressInfo
    const listNfts = async () => (await requestPortfolio(owner, "?includeNFTs=true")).body.nfts
    assert.deepStrictEqual(await listNfts(), [])
    await callRpc("anvil_setCode", PICTURES_CONTRACT, picturesContract(`http://127.0.0.1:${port}/42`))
    await callRpc(
      "anvil_setCode",
      ITEMS_CONTRACT,
      stubContract({
        "balanceOf(address,uint256)": encodeNumber(3n),
        "uri(uint256)": encodeText(`data:application/json;utf8,{"name":"{id}"}`)
      })
    )
    // If the page did not respond in time, the service fetches the metadata again later.
    const [picture, itemSeven, itemEight] = await waitUntil(listNfts, ([first]) => first?.name != null)
    assert.deepStrictEqual(picture, {
      address: PICTURES_CONTRACT,
      collection: { name: "Pictures", symbol: "PIC", logo: null },
      tokenId: "42",
      name: "A page",
      description: null,
      image: "https://gateway.example/ipfs/bafy/1.png",
      amount: "1",
      chain: picture.chain
    })
    assert.deepStrictEqual([itemSeven.tokenId, itemSeven.amount, itemEight.tokenId], ["7", "3", "8"])
    assert.deepStrictEqual(itemSeven.name, "7".padStart(64, "0"))
    // A balance that exceeds what a spammer could have sent.
    await callRpc("anvil_setCode", PICTURES_CONTRACT, picturesContract("", 10n ** 30n))
    assert.strictEqual(
      (await listNfts()).filter((nft: { address: string }) => nft.address === PICTURES_CONTRACT).length,
      50
    )
    const longData: Hex = `0x${"ff".repeat(200_000)}`
    for (const code of [
      "0x",
      "0xfe",
      stubContract({ "balanceOf(address)": "0x01" }),
      stubContract({ "balanceOf(address)": longData, "tokenOfOwnerByIndex(address,uint256)": longData }),
      stubContract({ "balanceOf(address)": encodeNumber(1n), "tokenOfOwnerByIndex(address,uint256)": longData })
    ]) {
      await callRpc("anvil_setCode", PICTURES_CONTRACT, code)
      const foundNfts: ReadonlyArray<{ readonly address: string; readonly name: unknown }> = await listNfts()
      assert.isFalse(foundNfts.some(({ address, name }) => address === PICTURES_CONTRACT && name !== null))
      assert.isTrue(
        foundNfts.some(({ address }) => address === ITEMS_CONTRACT),
        `another collection is hidden by ${code.slice(0, 40)}`
      )
    }
    await callRpc("anvil_setCode", ITEMS_CONTRACT, "0x")
  })

  it("fails if Uniswap's own metadata cannot be decoded, and omits the metadata of other collections", async () => {
    const code = await callRpc("eth_getCode", DESCRIPTOR, "latest")
    const brokenContract = stubContract({
      "tokenURI(address,uint256)": encodeText("data:application/json;base64,AAAA")
    })
    const { position } = (await service.request("GET", "/api/v1/liquidity/positions/1/1")).body
    await callRpc("anvil_setCode", PICTURES_CONTRACT, picturesContract("data:application/json,{"))
    await callRpc("anvil_setCode", DESCRIPTOR, brokenContract)
    const failedResponse = await requestPortfolio(position.owner, "?includeNFTs=true")
    await callRpc("anvil_setCode", DESCRIPTOR, code)
    assert.deepStrictEqual([failedResponse.status, failedResponse.body.id], [500, "NFT_METADATA_DECODE_FAILED"])
    const { body, status } = await requestPortfolio(position.owner, "?includeNFTs=true")
    assert.strictEqual(status, 200)
    assert.isNull(body.nfts.find((nft: { address: string }) => nft.address === PICTURES_CONTRACT).name)
    await callRpc("anvil_setCode", PICTURES_CONTRACT, "0x")
  })
})
