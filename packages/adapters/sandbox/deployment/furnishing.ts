import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, minBigInt } from "@countersign/core/foundation/primitives"
import type { EntryPointVersion } from "@countersign/core/wallets/registry"
import { encodeFunctionData, type Hex, maxUint256, parseAbi, parseEther } from "viem"
import { accountContracts, deploymentOf } from "../../src/chains/deployments/index.ts"
import { encoderOf } from "../../src/chains/evm/index.ts"
import { listOperators } from "../../src/chains/paymaster-contracts/index.ts"
import { v3ExchangesOf, v3Key } from "../../src/exchanges/pools/index.ts"
import type { SandboxKeys } from "../keys.ts"
import { callsOf, type Transaction } from "./block.ts"
import { sandboxTokens } from "./market.ts"
import { paymasterPlacements } from "./placements.ts"
import { type PlannedPool, sandboxPools } from "./poolPlan.ts"

const PAYMASTER_DEPOSIT = parseEther("10000")
const TREASURY_TOKENS_USD = 10_000_000_000n
const MAX_WRAPPED = parseEther("5000000000")

/** Number of price observations that a pool stores. A block adds at most one, if a swap changes the tick. */
const OBSERVATIONS = 60

const contractAbi = parseAbi([
  "function increaseObservationCardinalityNext(uint16 observationCardinalityNext)",
  "function mint(address account, uint256 amount)",
  "function approve(address spender, uint256 amount)",
  "function deposit()",
  "function depositTo(address account)",
  "function enableFeeAmount(uint24 fee, int24 tickSpacing)",
  "function multicall(bytes[] calls)",
  "function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96)"
])
const contractData = encoderOf(contractAbi)
const contractCall = callsOf(contractAbi)
const mintAbi = parseAbi([
  "struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }",
  "function mint(MintParams params)"
])

/** Returns the position manager calls that mint the positions of a Uniswap V3 pool, or of a fork's pool. */
export const mintCalls = (pool: PlannedPool, treasury: Address): ReadonlyArray<Hex> =>
  pool.positions.map(({ tickLower, tickUpper, amount0, amount1 }) =>
    encodeFunctionData({
      abi: mintAbi,
      args: [
        {
          token0: pool.token0,
          token1: pool.token1,
          fee: pool.feePips,
          tickLower,
          tickUpper,
          amount0Desired: amount0,
          amount1Desired: amount1,
          amount0Min: 0n,
          amount1Min: 0n,
          recipient: treasury,
          deadline: maxUint256
        }
      ]
    })
  )

const poolTransaction = (pool: PlannedPool, positionManager: Address, treasury: Address): Transaction => {
  const create = contractData("createAndInitializePoolIfNecessary", [
    pool.token0,
    pool.token1,
    pool.feePips,
    pool.sqrtPriceX96
  ])
  return contractCall(treasury, positionManager, "multicall", [[create, ...mintCalls(pool, treasury)]])
}

/**
 * Returns the transactions that create the pools, their positions and their price observations. The treasury owns the
 * positions.
 */
export const poolTransactions = (chainId: EvmChainId, keys: SandboxKeys): ReadonlyArray<Transaction> => {
  const deployment = deploymentOf(chainId)
  const [exchange] = v3ExchangesOf(deployment)
  const from = keys.treasury.address
  return sandboxPools(chainId).flatMap((pool) => [
    poolTransaction(pool, deployment.uniswapV3.nonfungiblePositionManager, from),
    contractCall(
      from,
      v3Key(exchange!, pool.token0, pool.token1, pool.feePips).address,
      "increaseObservationCardinalityNext",
      [OBSERVATIONS]
    )
  ])
}

/** Returns the transactions with which the treasury approves a token for these spenders, without a limit. */
export const approvalTransactions = (
  token: Address,
  treasury: Address,
  spenders: ReadonlyArray<Address>
): ReadonlyArray<Transaction> =>
  spenders.map((spender) => contractCall(treasury, token, "approve", [spender, maxUint256]))

/**
 * Returns the transactions that enable the 0.01 % fee tier, fund the paymasters' deposits, add their bundlers, and mint
 * and approve tokens of the treasury.
 */
export const setupTransactions = (chainId: EvmChainId, keys: SandboxKeys): ReadonlyArray<Transaction> => {
  const { uniswapV3 } = deploymentOf(chainId)
  const treasury = keys.treasury.address
  const paymasters = paymasterPlacements(keys)
  const allowOperator = (version: EntryPointVersion): Transaction => ({
    from: keys.paymasterOwner.address,
    ...listOperators(paymasters[version].address, [keys.operators[version].address])
  })
  const depositTo = (entryPoint: Address, paymaster: Address): Transaction =>
    contractCall(treasury, entryPoint, "depositTo", [paymaster], PAYMASTER_DEPOSIT)
  const tokens = sandboxTokens(chainId).flatMap(
    ({ role, address, decimals, priceUsd8 }): ReadonlyArray<Transaction> => {
      const amount = (TREASURY_TOKENS_USD * 10n ** BigInt(8 + decimals)) / priceUsd8
      const supply =
        role === "native"
          ? contractCall(treasury, address, "deposit", [], minBigInt(amount, MAX_WRAPPED))
          : contractCall(treasury, address, "mint", [treasury, amount])
      const spenders = [uniswapV3.nonfungiblePositionManager, paymasters["0.7"].address, paymasters["0.8"].address]
      return [supply, ...approvalTransactions(address, treasury, spenders)]
    }
  )
  return [
    contractCall(keys.deployer.address, uniswapV3.factory, "enableFeeAmount", [100, 1]),
    depositTo(accountContracts.entryPoint07, paymasters["0.7"].address),
    depositTo(accountContracts.entryPoint08, paymasters["0.8"].address),
    allowOperator("0.7"),
    allowOperator("0.8"),
    ...tokens
  ]
}
