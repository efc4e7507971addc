import { deploymentOf } from "@countersign/adapters/chains/deployments"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { encodeFunctionData, maxUint256, parseAbi, parseUnits } from "viem"
import { registerOneOfEachKind, swapOf, type TestWallet, USDC, WETH } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Tests the number of sequential requests to the node that a quote needs, and how a quote handles a stale cache. */

let service: TestService
let wallet: TestWallet

/** Starts and ends of requests to the node, in chronological order. */
let events: Array<{ readonly id: number; readonly isStart: boolean }> | null = null
const originalFetch = globalThis.fetch
let nextId = 0

const recordingFetch: typeof fetch = async (input, init) => {
  const log = events
  if (log === null || !String(input).startsWith(service.chains.rpcUrl(1))) return originalFetch(input, init)
  const id = nextId++
  log.push({ id, isStart: true })
  const response = await originalFetch(input, init)
  const text = await response.text()
  log.push({ id, isStart: false })
  return new Response(text, { status: response.status, headers: response.headers })
}

/** Returns the length of the longest chain of requests in which each started after the previous one had ended. */
const measureLongestChain = (log: NonNullable<typeof events>): number => {
  let longestEndedChain = 0
  const chainLengths = new Map<number, number>()
  for (const { id, isStart } of log) {
    if (isStart) chainLengths.set(id, longestEndedChain + 1)
    else longestEndedChain = Math.max(longestEndedChain, chainLengths.get(id)!)
  }
  return Math.max(longestEndedChain, ...chainLengths.values())
}

const quoteOf = async (path: string, body: unknown) => {
  const response = await service.request("POST", path, body)
  assert.strictEqual(response.status, 200, JSON.stringify(response.body))
  return response.body
}

const requestSwap = async (changes: Record<string, unknown> = {}) =>
  (await quoteOf("/api/v1/crypto/swap", swapOf(wallet, changes))).quotes[0]

/**
 * Returns the minimum over several quotes with different amounts, because requests of the service's workers may
 * lengthen a chain.
 */
const measureShortestChain = async (requestQuote: (amount: string) => Promise<unknown>): Promise<number> => {
  const chainLengths: Array<number> = []
  for (let i = 0; i < 7; i++) {
    const log: NonNullable<typeof events> = []
    events = log
    await requestQuote(`${10 + i}`)
    events = null
    chainLengths.push(measureLongestChain(log))
  }
  return Math.min(...chainLengths)
}

const LINK = deploymentOf(1).tokens.find(({ symbol }) => symbol === "LINK")!.address

/** Morpho Blue market with USDC as loan token and WBTC as collateral. */
const WBTC_USDC = "0x3a85e619751152991742810df6ec69ce473daef99e28a64ab2340d7b7ccfee49"

const abi = parseAbi([
  "struct ExactInputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "function exactInputSingle(ExactInputSingleParams params) payable returns (uint256 amountOut)",
  "function approve(address spender, uint256 amount)"
])

/** Buys LINK as the treasury in two of its pools, each time in a separate block. */
const buyLink = async () => {
  const from = service.chains.keys.treasury.address
  const sendTransaction = (to: string, data: string) =>
    askChain(service.chains.rpcUrl(1), "eth_sendTransactionSync", { from, to, data, gas: "0xf4240" })
  const router = deploymentOf(1).uniswapV3.swapRouter02
  for (const [tokenIn, amountIn] of [
    [WETH, parseUnits("100", 18)],
    [USDC, parseUnits("200000", 6)]
  ] as const) {
    await sendTransaction(tokenIn, encodeFunctionData({ abi, functionName: "approve", args: [router, maxUint256] }))
    const params = {
      tokenIn,
      tokenOut: LINK,
      fee: 3_000,
      recipient: from,
      amountIn,
      amountOutMinimum: 0n,
      sqrtPriceLimitX96: 0n
    } as const
    await sendTransaction(router, encodeFunctionData({ abi, functionName: "exactInputSingle", args: [params] }))
  }
}

beforeAll(async () => {
  service = await startTestService()
  wallet = (await registerOneOfEachKind(service)).find(({ name }) => name === "SimpleAccount 0.8")!
  globalThis.fetch = recordingFetch
})
afterAll(async () => {
  globalThis.fetch = originalFetch
  await service.stop()
})

describe("sequential requests to the node", () => {
  it("are one if the pools and the wallet were read in the same block", async () => {
    await requestSwap()
    assert.strictEqual(await measureShortestChain((amountIn) => requestSwap({ amountIn })), 1)
    assert.strictEqual(
      await measureShortestChain((amountIn) => requestSwap({ amountIn, routeProfile: "BEST_OUTPUT" })),
      1
    )
    const transfer = { walletAddress: wallet.address, chainId: 1, token: USDC, toAddress: wallet.owner }
    const gasFields = { gasFeePaymentMethod: "ADD_TO_AMOUNT", payGasFeeToken: USDC }
    const requestTransfer = (amount: string) =>
      quoteOf("/api/v1/crypto/transfer", { ...transfer, ...gasFields, amount })
    await requestTransfer("1")
    assert.strictEqual(await measureShortestChain(requestTransfer), 1)
  })

  it("are two if the cache is older than a block", async () => {
    const chainLength = await measureShortestChain(async (amountIn) => {
      await service.advanceClock(13)
      return requestSwap({ amountIn })
    })
    assert.isAtMost(chainLength, 2)
  })
})

describe("sequential requests for positions and loans", () => {
  const gasFields = { gasFeePaymentMethod: "ADD_TO_AMOUNT", payGasFeeToken: USDC }
  const range = { minPrice: 2_000, maxPrice: 4_000 }
  const getWalletFields = () => ({ walletAddress: wallet.address, toAddress: wallet.address, chainId: 1 })

  const requestPosition = (amountIn: string) =>
    quoteOf("/api/v1/liquidity", {
      ...getWalletFields(),
      ...gasFields,
      ...range,
      tokenIn: USDC,
      amountIn,
      token0: WETH,
      token1: USDC,
      poolFeePercent: 0.3
    })

  it("are two if a position is created, changed or withdrawn", async () => {
    const { operation } = await requestPosition("1000")
    const body = { userOperationHash: operation.userOperationHash }
    const signatures = await service.signatures(wallet.privateKey, operation.signData)
    const acceptResponse = await service.request("POST", "/api/v1/crypto/execute-user-op", { ...body, ...signatures })
    assert.strictEqual(acceptResponse.status, 200, JSON.stringify(acceptResponse.body))
    const { liquidity } = await service.settled(wallet.address, operation.userOperationHash)
    const position = { ...getWalletFields(), tokenId: liquidity.tokenId }
    const { toAddress: _, ...changedPosition } = position
    const requests: ReadonlyArray<(amount: string) => Promise<unknown>> = [
      requestPosition,
      (amountIn) =>
        quoteOf("/api/v1/liquidity/add", { ...changedPosition, ...gasFields, ...range, tokenIn: USDC, amountIn }),
      (amount) =>
        quoteOf("/api/v1/liquidity/withdraw", {
          ...position,
          tokenOut: USDC,
          percentage: Number(amount),
          payGasFeeToken: USDC
        }),
      (amount) =>
        quoteOf("/api/v1/liquidity/rebalance", {
          ...position,
          newPosition: { minPrice: 0.0002, maxPrice: 0.0005 + Number(amount) / 1e6 },
          payGasFeeToken: USDC
        })
    ]
    for (const [i, sendRequest] of requests.entries()) {
      await sendRequest("5")
      assert.isAtMost(await measureShortestChain(sendRequest), 2, `kind ${i}`)
    }
  })

  it("are two for a supply or a borrow", async () => {
    const legOf = (tokenAddress: string, amount: string) => ({ chainId: 1, tokenAddress, amount })
    const requestLoan = (provider: string, legs: object) =>
      quoteOf("/api/v1/lending/quote", {
        walletAddress: wallet.address,
        provider,
        gas: { paymentMethod: "ADD_TO_AMOUNT", tokenAddress: USDC },
        ...legs
      })
    const requests: ReadonlyArray<(amount: string) => Promise<unknown>> = [
      (amount) =>
        requestLoan("LENDING_PROVIDER_A", { supply: legOf(USDC, `${amount}00`), borrow: legOf(WETH, "0.01") }),
      (amount) =>
        requestLoan("LENDING_PROVIDER_B", { supply: { ...legOf(USDC, amount), side: "LOAN", marketId: WBTC_USDC } })
    ]
    for (const [i, sendRequest] of requests.entries()) {
      await sendRequest("5")
      assert.isAtMost(await measureShortestChain(sendRequest), 2, `provider ${i}`)
    }
  })
})

describe("the cached state of a quote", () => {
  it("is dropped if other accounts changed the pools meanwhile", async () => {
    const quoteBefore = await requestSwap({ tokenOut: LINK })
    await buyLink()
    const earlyQuote = await requestSwap({ tokenOut: LINK })
    assert.isBelow(Number(earlyQuote.amountOut), Number(quoteBefore.amountOut))
    await service.advanceClock(13)
    const lateQuote = await requestSwap({ tokenOut: LINK })
    assert.strictEqual(earlyQuote.amountOut, lateQuote.amountOut)
  })

  it("is dropped if the wallet received tokens meanwhile", async () => {
    const amountIn = "2000000"
    assert.match((await requestSwap({ amountIn })).revertReason.decoded, /USDC/u)
    await service.fund(wallet.address, USDC, parseUnits("3000000", 6))
    assert.isUndefined((await requestSwap({ amountIn })).revertReason)
  })
})
