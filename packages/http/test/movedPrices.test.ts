import { deploymentOf, priceFeedsOf } from "@countersign/adapters/chains/deployments"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { encodeFunctionData, maxUint256, parseAbi, parseUnits } from "viem"
import { waitUntil } from "../../core/test/support/until.ts"
import { registerOneOfEachKind, type TestWallet, USDC, WETH } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Tests the effects on income and quotes if a user moves the price of a pool before paying gas with its token. */

let service: TestService
let wallet: TestWallet
let positionId: string

const LINK = deploymentOf(1).tokens.find(({ symbol }) => symbol === "LINK")!.address
const feed = priceFeedsOf(1).feeds.find(({ token }) => token === LINK)!.feed

const abi = parseAbi([
  "struct ExactInputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "function exactInputSingle(ExactInputSingleParams params) payable returns (uint256 amountOut)",
  "function approve(address spender, uint256 amount)",
  "function updateAnswer(int256 answer)"
])

/** Sends a transaction as the sandbox's treasury, which has large balances of all tokens. */
const send = async (to: string, data: string) => {
  const from = service.chains.keys.treasury.address
  await askChain(service.chains.rpcUrl(1), "eth_sendTransactionSync", { from, to, data, gas: "0xf4240" })
}

/** Advances the clock, for example beyond the age at which prices expire. */
const advanceSeconds = (count: number) => service.advanceClock(count)

const quoteTransferWithLink = async () => {
  const { body, status } = await service.request("POST", "/api/v1/crypto/transfer", {
    walletAddress: wallet.address,
    chainId: 1,
    token: USDC,
    amount: "1",
    toAddress: service.chains.keys.deployer.address,
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    payGasFeeToken: LINK
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
  const { estimatedGasFees, revertReason, warnings } = body.transfer
  assert.isUndefined(revertReason)
  return {
    /** LINK per native token. */
    rate: Number(estimatedGasFees.maxGasFeeToken) / Number(estimatedGasFees.maxGasFeeNative),
    warnings: warnings as ReadonlyArray<string>
  }
}

const gasFields = { payGasFeeToken: USDC }

/** Creates a full-range position of the wallet in the pool of LINK and USDC. */
const makePosition = async (): Promise<string> => {
  const { body } = await service.request("POST", "/api/v1/liquidity", {
    walletAddress: wallet.address,
    toAddress: wallet.address,
    chainId: 1,
    ...gasFields,
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    tokenIn: USDC,
    amountIn: "1000",
    token0: LINK,
    token1: USDC,
    poolFeePercent: 0.3,
    minPrice: 0,
    maxPrice: 1e30
  })
  const { signData, userOperationHash } = body.operation
  const signatures = await service.signatures(wallet.privateKey, signData)
  await service.request("POST", "/api/v1/crypto/execute-user-op", { userOperationHash, ...signatures })
  return (await service.settled(wallet.address, userOperationHash)).liquidity.tokenId
}

const requestWithdrawal = (tokenId: string, changes: Record<string, unknown> = {}) =>
  service.request("POST", "/api/v1/liquidity/withdraw", {
    walletAddress: wallet.address,
    toAddress: wallet.address,
    chainId: 1,
    tokenId,
    tokenOut: USDC,
    percentage: 100,
    ...gasFields,
    ...changes
  })

/** Repeats the quote until its warnings match. The service refreshes cached prices only during a quote. */
const waitForWarning = (warning: RegExp) =>
  waitUntil(quoteTransferWithLink, ({ warnings }) => warning.test(warnings.join(" ")))

/** Buys LINK with a token in their 0.3 % pool, which raises the price of LINK in this pool. */
const buyLink = async (tokenIn: string, amountIn: bigint) => {
  const { swapRouter02 } = deploymentOf(1).uniswapV3
  await send(tokenIn, encodeFunctionData({ abi, functionName: "approve", args: [swapRouter02, maxUint256] }))
  await send(
    swapRouter02,
    encodeFunctionData({
      abi,
      functionName: "exactInputSingle",
      args: [
        {
          tokenIn: tokenIn as `0x${string}`,
          tokenOut: LINK,
          fee: 3_000,
          recipient: service.chains.keys.treasury.address,
          amountIn,
          amountOutMinimum: 0n,
          sqrtPriceLimitX96: 0n
        }
      ]
    })
  )
}

beforeAll(async () => {
  service = await startTestService()
  wallet = (await registerOneOfEachKind(service)).find(({ name }) => name === "SimpleAccount 0.8")!
  await service.fund(wallet.address, LINK, parseUnits("1000", 18))
  positionId = await makePosition()
  // Creates one hour of price history in the pools.
  await advanceSeconds(3_600)
})
afterAll(() => service.stop())

describe("gas in a token whose pool prices have just been moved", () => {
  it("costs the same if an oracle has the token, and quotes warn of the pools' deviation", async () => {
    const previousQuote = await quoteTransferWithLink()
    assert.deepStrictEqual(previousQuote.warnings, [])
    await buyLink(WETH, parseUnits("700", 18))
    await buyLink(USDC, parseUnits("900000", 6))
    await advanceSeconds(20)
    const laterQuote = await waitForWarning(
      /The price of LINK in its deepest pool is \d+\.\d % above an oracle's price/u
    )
    assert.closeTo(laterQuote.rate / previousQuote.rate, 1, 0.001)
  })

  it("blocks a withdrawal from the pool unless the caller accepts the price", async () => {
    const refusal = await requestWithdrawal(positionId)
    assert.strictEqual(refusal.status, 400, JSON.stringify(refusal.body))
    assert.match(refusal.body.errors[0].message, /The pool price differs by \d+\.\d\d % from the market price/u)
    const acceptResponse = await requestWithdrawal(positionId, { acceptPriceImpact: true })
    assert.strictEqual(acceptResponse.status, 200, JSON.stringify(acceptResponse.body))
    assert.match(acceptResponse.body.operation.warnings.join(" "), /from the market price/u)
  })

  it("costs no less if only pools have the token: the average price counts, and for the bound the worse of both", async () => {
    await send(feed, encodeFunctionData({ abi, functionName: "updateAnswer", args: [2_000_000_000n] }))
    await advanceSeconds(20)
    const honestQuote = await quoteTransferWithLink()
    await send(feed, encodeFunctionData({ abi, functionName: "updateAnswer", args: [0n] }))
    await buyLink(WETH, parseUnits("700", 18))
    await advanceSeconds(20)
    const movedQuote = await waitForWarning(
      /The price of LINK in its deepest pool is \d+\.\d % above the pool's time-weighted average price/u
    )
    assert.isAbove(movedQuote.rate / honestQuote.rate, 0.9)
  })
})
