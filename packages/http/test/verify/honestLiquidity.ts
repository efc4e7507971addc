import { deploymentOf } from "@countersign/adapters/chains/deployments"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { KnownPosition } from "@countersign/http/verify"
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  erc20Abi,
  type Hex,
  http,
  parseAbi,
  parseEventLogs
} from "viem"
import { NATIVE, positionOf, type TestWallet, USDC, WETH } from "../support/accounts.ts"
import type { TestService } from "../support/testService.ts"

/** Creates positions of the sandbox's wallets, and requests for them. */

export const LINK = "0x514910771af9ca656af840dff83e8264ecf986ca"
export const WBTC = "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599"
const GNOSIS_USDC = "0xddafbb505ad214d7b80b1f830fccc89b60fb7a83"
const WXDAI = "0xe91d153e0b41518a2ce8dd3d7944fa863463a97d"
const MAKER = `0x${"a11ce".padEnd(40, "7")}` as const

const abi = parseAbi([
  "function mint((address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, address recipient, uint256 deadline) params)",
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)",
  "function positions(uint256 tokenId) view returns (uint96 nonce, address operator, address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint128 liquidity, uint256 feeGrowthInside0LastX128, uint256 feeGrowthInside1LastX128, uint128 tokensOwed0, uint128 tokensOwed1)",
  "event IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)"
])

/** The chain, the pool and the range of the test's positions. */
interface PoolRange {
  readonly chainId: EvmChainId
  /**
   * The two tokens of the pool. `amount` of each token is deposited into a position, and later swapped. The fee is 0.3
   * %.
   */
  readonly pool: readonly [Side, Side]
  readonly tickLower: number
  readonly tickUpper: number
}

interface Side {
  readonly token: Hex
  readonly amount: bigint
}

const ethereumRange: PoolRange = {
  chainId: 1,
  pool: [
    { token: USDC, amount: 9_000_000_000n },
    { token: WETH, amount: 3n * 10n ** 18n }
  ],
  tickLower: 194_400,
  tickUpper: 198_060
}

/** A chain without a Universal Router. */
const gnosisRange: PoolRange = {
  chainId: 100,
  pool: [
    { token: GNOSIS_USDC, amount: 10n ** 9n },
    { token: WXDAI, amount: 10n ** 21n }
  ],
  tickLower: 275_520,
  tickUpper: 277_140
}

type Positions = Readonly<Record<string, KnownPosition>>

/** Creates a position that has earned fees, for each owner. Returns the ids and the on-chain state of the positions. */
const createPositions = async (
  service: TestService,
  owners: ReadonlyArray<string>,
  { chainId, pool, tickLower, tickUpper }: PoolRange
): Promise<{ readonly numbers: ReadonlyArray<string>; readonly positions: Positions }> => {
  const { nonfungiblePositionManager, swapRouter02 } = deploymentOf(chainId).uniswapV3
  const [manager, router] = [nonfungiblePositionManager, swapRouter02] as ReadonlyArray<Hex>
  const transport = http(service.chains.rpcUrl(chainId))
  const publicClient = createPublicClient({ transport, pollingInterval: 20 })
  const makerClient = createWalletClient({ transport, account: MAKER })
  const writeContract = async (address: Hex | undefined, functionName: string, ...args: ReadonlyArray<unknown>) => {
    // biome-ignore lint/suspicious/noExplicitAny: one function for several ABIs.
    const call: any = { abi: [...abi, ...erc20Abi], address, functionName, args, chain: null, gas: 2_000_000n }
    const receipt = await publicClient.waitForTransactionReceipt({ hash: await makerClient.writeContract(call) })
    if (receipt.status !== "success") throw new Error(`${functionName} reverts`)
    return receipt
  }
  await service.fundOn(chainId, MAKER, "native", 10n ** 20n)
  await createTestClient({ mode: "anvil", transport }).impersonateAccount({ address: MAKER })
  for (const { amount, token } of pool) {
    await service.fundOn(chainId, MAKER, token, amount * 100n)
    for (const spender of [manager, router]) await writeContract(token, "approve", spender, amount * 100n)
  }
  const [{ token: token0, amount: amount0Desired }, { token: token1, amount: amount1Desired }] = pool
  const positionKey = { token0, token1, fee: 3000, tickLower, tickUpper }
  const wantedAmounts = { amount0Desired, amount1Desired, amount0Min: 0n, amount1Min: 0n, deadline: 10n ** 12n }
  const tokenIds: Array<string> = []
  for (const recipient of owners) {
    const { logs } = await writeContract(manager, "mint", { ...positionKey, ...wantedAmounts, recipient })
    const [increaseEvent] = parseEventLogs({ abi, logs, eventName: "IncreaseLiquidity" })
    tokenIds.push(String(increaseEvent!.args.tokenId))
  }
  for (const [tokenIn, tokenOut, amountIn] of [
    [token0, token1, amount0Desired],
    [token1, token0, amount1Desired]
  ] as const) {
    const params = { tokenIn, tokenOut, amountIn, fee: 3000, recipient: MAKER }
    await writeContract(router, "exactInputSingle", { ...params, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n })
  }
  const readPosition = async (tokenId: string) =>
    publicClient.readContract({ abi, address: manager!, functionName: "positions", args: [BigInt(tokenId)] })
  const positionPromises = tokenIds.map(
    async (tokenId) => [tokenId, { ...positionKey, liquidity: (await readPosition(tokenId))[7] }] as const
  )
  return { numbers: tokenIds, positions: Object.fromEntries(await Promise.all(positionPromises)) }
}

export const createEthereumPositions = (service: TestService, wallets: ReadonlyArray<TestWallet>) =>
  createPositions(
    service,
    wallets.map(({ address }) => address),
    ethereumRange
  )

const feeFieldsOf = (partner: string) => ({
  transactionFeePercent: 1.5,
  extraFee: { percentage: 0.25, toAddress: partner }
})

export type NamedRequest = readonly [name: string, path: string, request: object]

/** Matches one request per type of operation, for tests that do not need all variants. */
const KIND_PATTERN = /^(?:position for|position in a new pool|addition$|withdrawal to|move for)/u

/** Creates a position on a chain without a Universal Router. Returns requests for it. */
export const createGnosisRequests = async (
  service: TestService,
  { address }: TestWallet,
  friend: string,
  partner: string
) => {
  const { numbers: tokenIds, positions } = await createPositions(service, [address], gnosisRange)
  const commonFields = {
    walletAddress: address,
    chainId: 100,
    payGasFeeToken: NATIVE,
    tokenId: tokenIds[0],
    percentage: 40
  }
  await service.fundOn(100, address, "native", 10n ** 20n)
  const requests: ReadonlyArray<NamedRequest> = [
    [
      "withdrawal by the wallet to another receiver, with fees",
      "liquidity/withdraw",
      { ...commonFields, ...feeFieldsOf(partner), toAddress: friend, tokenOut: GNOSIS_USDC }
    ],
    [
      "withdrawal by the wallet to itself, with fees",
      "liquidity/withdraw",
      { ...commonFields, ...feeFieldsOf(partner), toAddress: address, tokenOut: NATIVE }
    ]
  ]
  return { positions, requests, decimals: { [GNOSIS_USDC]: 6 } }
}

/** Returns requests of each type, for the first wallet in variants that differ in the signed data. */
export const liquidityRequestsOf = (
  { address }: TestWallet,
  tokenId: string,
  friend: string,
  partner: string,
  isFirst: boolean
): ReadonlyArray<NamedRequest> => {
  const commonFields = { walletAddress: address, chainId: 1, payGasFeeToken: USDC }
  const creation = positionOf({ address })
  const nativeTokenFields = {
    tokenIn: NATIVE,
    payGasFeeToken: NATIVE,
    amountIn: "0.3",
    gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT"
  }
  const addition = { ...commonFields, tokenId, minPrice: 2500, maxPrice: 3600, tokenIn: USDC, amountIn: "250.5" }
  const withdrawal = { ...commonFields, toAddress: address, tokenId, tokenOut: USDC, percentage: 50 }
  const allRequests: ReadonlyArray<NamedRequest> = [
    [
      "position for another receiver, with fees",
      "liquidity",
      { ...creation, ...feeFieldsOf(partner), toAddress: friend }
    ],
    ["position of native tokens, gas deducted", "liquidity", { ...creation, ...nativeTokenFields, token0: NATIVE }],
    [
      "position of another token, in the pool's order",
      "liquidity",
      { ...creation, token0: WBTC, token1: WETH, minPrice: 25, maxPrice: 38, slippage: 1 }
    ],
    ["position above the price", "liquidity", { ...creation, amountIn: "700", minPrice: 4000, maxPrice: 5000 }],
    [
      "position over all prices, gas deducted",
      "liquidity",
      { ...creation, minPrice: 0, maxPrice: 1e300, gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT", slippage: 0 }
    ],
    ["position in a new pool", "liquidity", { ...creation, poolFeePercent: 0.01, amountIn: "900" }],
    ["addition", "liquidity/add", { ...addition, gasFeePaymentMethod: "ADD_TO_AMOUNT", ...feeFieldsOf(partner) }],
    [
      "addition of native tokens",
      "liquidity/add",
      { ...addition, ...nativeTokenFields, minPrice: 1 / 3600, maxPrice: 1 / 2500 }
    ],
    [
      "withdrawal to another receiver, with fees",
      "liquidity/withdraw",
      { ...withdrawal, ...feeFieldsOf(partner), toAddress: friend }
    ],
    ["withdrawal of all, as native tokens", "liquidity/withdraw", { ...withdrawal, tokenOut: NATIVE, percentage: 100 }],
    [
      "withdrawal as another token",
      "liquidity/withdraw",
      { ...withdrawal, tokenOut: LINK, percentage: 12.5, slippage: 0 }
    ],
    [
      "withdrawal with a fee that is not a portion",
      "liquidity/withdraw",
      { ...withdrawal, transactionFeePercent: 0.123456, percentage: 99.99 }
    ],
    [
      "move for another receiver, with fees",
      "liquidity/rebalance",
      {
        ...commonFields,
        ...feeFieldsOf(partner),
        toAddress: friend,
        tokenId,
        newPosition: { minPrice: 0.0003, maxPrice: 0.0005 }
      }
    ],
    [
      "move, gas in native tokens",
      "liquidity/rebalance",
      {
        ...commonFields,
        toAddress: address,
        tokenId,
        newPosition: { minPrice: 0, maxPrice: 0.0004 },
        payGasFeeToken: NATIVE
      }
    ]
  ]
  return isFirst ? allRequests : allRequests.filter(([name]) => KIND_PATTERN.test(name))
}
