import type { Address } from "@countersign/core/foundation/primitives"
import { Effect } from "effect"
import { createWalletClient, type Hex, http, parseAbi, parseEventLogs, type TransactionReceipt } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { mainnet } from "viem/chains"
import { SandboxChains } from "../../sandbox/index.ts"
import { deploymentOf } from "../../src/chains/deployments/index.ts"
import { aggregateData, aggregateResponses, RpcClients } from "../../src/chains/evm/index.ts"

/** Calls Uniswap's contracts on the sandbox's chain for the differential tests. One `eth_call` executes many calls. */

export const quoterAbi = parseAbi([
  "struct Single { address tokenIn; address tokenOut; uint256 amount; uint24 fee; uint160 sqrtPriceLimitX96; }",
  "function quoteExactInputSingle(Single params) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)",
  "function quoteExactOutputSingle(Single params) returns (uint256 amountIn, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)"
])

export const managerAbi = parseAbi([
  "struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }",
  "struct DecreaseParams { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }",
  "function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address pool)",
  "function mint(MintParams params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
  "function decreaseLiquidity(DecreaseParams params) payable returns (uint256 amount0, uint256 amount1)",
  "function positions(uint256 tokenId) view returns (uint96 nonce, address operator, address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint128 liquidity, uint256 feeGrowthInside0LastX128, uint256 feeGrowthInside1LastX128, uint128 tokensOwed0, uint128 tokensOwed1)",
  "function multicall(bytes[] data) payable returns (bytes[] results)",
  "event IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
  "event DecreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)"
])

export const poolFeesAbi = parseAbi([
  "function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, uint8 feeProtocol, bool unlocked)",
  "function feeGrowthGlobal0X128() view returns (uint256)",
  "function feeGrowthGlobal1X128() view returns (uint256)",
  "function ticks(int24 tick) view returns (uint128 liquidityGross, int128 liquidityNet, uint256 feeGrowthOutside0X128, uint256 feeGrowthOutside1X128, int56 tickCumulativeOutside, uint160 secondsPerLiquidityOutsideX128, uint32 secondsOutside, bool initialized)"
])

export interface ContractCall {
  readonly target: Address
  readonly callData: Hex
}

const CALLS_PER_BATCH = 250

/** Returns the results in the order of the calls. The result is null if the contract reverts. */
export const resultsOf = Effect.fnUntraced(function* (contractCalls: ReadonlyArray<ContractCall>) {
  const client = (yield* RpcClients).client(1)
  const batches = Array.from({ length: Math.ceil(contractCalls.length / CALLS_PER_BATCH) }, (_, i) =>
    contractCalls.slice(i * CALLS_PER_BATCH, (i + 1) * CALLS_PER_BATCH)
  )
  const responses = yield* Effect.forEach(batches, (batch) =>
    Effect.promise(async () => {
      const { data = "0x" } = await client.call({
        to: deploymentOf(1).multicall3,
        gas: 2_000_000_000n,
        data: aggregateData(batch)
      })
      return aggregateResponses(data).map(({ returnData, success }) => (success ? returnData : null))
    })
  )
  return responses.flat()
})

/** Sends transactions from the treasury, which has balances of all tokens, and has approved the position manager. */
export const treasury = Effect.gen(function* () {
  const { keys, rpcUrl } = yield* SandboxChains
  const client = (yield* RpcClients).client(1)
  const account = privateKeyToAccount(keys.treasury.privateKey)
  const wallet = createWalletClient({ account, chain: mainnet, transport: http(rpcUrl(1)) })
  const send = (to: Address, data: Hex) =>
    Effect.promise(async () => {
      const hash = await wallet.sendTransaction({ to, data, gas: 28_000_000n })
      // Polls for the receipt. viem would wait for the next block, which never comes if the transaction was mined
      // before viem began to wait.
      let receipt: TransactionReceipt | null = null
      while (receipt === null) receipt = await client.getTransactionReceipt({ hash }).catch(() => null)
      if (receipt.status !== "success") throw new Error(`${data.slice(0, 10)} to ${to} failed`)
      return receipt
    })
  return { address: account.address, send }
})

/** Returns the liquidity changes of the position manager in a transaction, in order. */
export const liquidityChanges = ({ logs }: TransactionReceipt) =>
  parseEventLogs({ abi: managerAbi, logs }).map(({ args }) => args)
