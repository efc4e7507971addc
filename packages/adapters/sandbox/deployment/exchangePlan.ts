import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { type ConstantProductDeployment, deploymentOf } from "../../src/chains/deployments/index.ts"
import { sandboxConstantProduct } from "./exchangePlacements.ts"
import { type Role, roleOn, type SandboxToken, sandboxTokens } from "./market.ts"
import { type PlannedPool, planPool, tickSpacings } from "./poolPlan.ts"

/** A pair of tokens and the amounts of its liquidity. */
export interface PlannedPair {
  readonly exchange: ConstantProductDeployment
  readonly tokens: readonly [SandboxToken, SandboxToken]
  readonly amounts: readonly [bigint, bigint]
}

/** A Uniswap V4 pool without a hook. */
export interface PlannedV4Pool extends PlannedPool {
  /** Protocol fee by direction, in millionths of the swapped amount. Zero for most pools. */
  readonly protocolFeePips: { readonly zeroForOne: number; readonly oneForZero: number }
}

/** Uniswap V4's address of the native token. */
export const V4_NATIVE_TOKEN = Address.make("0x0000000000000000000000000000000000000000")

type PairOfRoles = readonly [Role, Role]

const tokenByRoleOn = (chainId: EvmChainId) => {
  const tokens = sandboxTokens(chainId)
  return (role: Role): SandboxToken | undefined => tokens.find((token) => token.role === roleOn(chainId, role))
}

/** Maps the pairs of roles whose two tokens exist on a chain. Omits duplicates. */
const poolsWithTokens = <A>(
  chainId: EvmChainId,
  plans: ReadonlyArray<readonly [roles: PairOfRoles, plan: A]>
): ReadonlyArray<readonly [a: SandboxToken, b: SandboxToken, plan: A]> => {
  const tokenOf = tokenByRoleOn(chainId)
  const seenNames = new Set<string>()
  return plans.flatMap(([[roleA, roleB], plan]) => {
    const [a, b] = [tokenOf(roleA), tokenOf(roleB)]
    const name = JSON.stringify([a?.address, b?.address, plan])
    if (a === undefined || b === undefined || a === b || seenNames.has(name)) return []
    seenNames.add(name)
    return [[a, b, plan] as const]
  })
}

/** TVL of the pairs, in millions of US dollars. */
const pairSizes: ReadonlyArray<readonly [PairOfRoles, number]> = [
  [["weth", "usdc"], 4],
  [["native", "usdc"], 4],
  [["weth", "usdt"], 2],
  [["btc", "weth"], 3],
  [["other", "weth"], 1]
]

/**
 * Prices relative to the market price, in units of 1e-4, by index of the exchange. They differ by less than the fee of
 * 0.3 %.
 */
const pairPrices4 = [10_007n, 9_994n]

/** Returns the pairs of Uniswap V2 and its forks on a sandbox chain. */
export const sandboxPairsOfConstantProduct = (chainId: EvmChainId): ReadonlyArray<PlannedPair> =>
  sandboxConstantProduct(chainId).flatMap((exchange, index) =>
    poolsWithTokens(chainId, pairSizes).map(([a, b, millionUsd]): PlannedPair => {
      const amount = (token: SandboxToken, price4: bigint) =>
        (BigInt(millionUsd) * 500_000n * 10n ** BigInt(8 + token.decimals) * price4) / (token.priceUsd8 * 10_000n)
      return { exchange, tokens: [a, b], amounts: [amount(a, 10_000n), amount(b, pairPrices4[index]!)] }
    })
  )

const v4Pools: ReadonlyArray<readonly [PairOfRoles, { readonly feePips: number; readonly millionUsd: number }]> = [
  [["usdc", "usdt"], { feePips: 100, millionUsd: 8 }],
  [["native", "usdc"], { feePips: 500, millionUsd: 9 }],
  [["native", "usdc"], { feePips: 3000, millionUsd: 6 }],
  [["native", "usdt"], { feePips: 500, millionUsd: 4 }],
  [["btc", "usdc"], { feePips: 3000, millionUsd: 4 }],
  [["weth", "usdt"], { feePips: 3000, millionUsd: 2 }]
]

/** Returns the protocol fee of a pool. Only the 0.3 % pools of the native token have one. */
const protocolFeeOf = (a: SandboxToken, feePips: number): PlannedV4Pool["protocolFeePips"] =>
  a.address === V4_NATIVE_TOKEN && feePips === 3000
    ? { zeroForOne: 500, oneForZero: 350 }
    : { zeroForOne: 0, oneForZero: 0 }

/** Returns the Uniswap V4 pools of a sandbox chain. They contain the native token unwrapped. */
export const sandboxV4Pools = (chainId: EvmChainId): ReadonlyArray<PlannedV4Pool> =>
  deploymentOf(chainId).uniswapV4 === undefined
    ? []
    : poolsWithTokens(chainId, v4Pools).map(([a, b, { feePips, millionUsd }]) => {
        const base = a.role === "native" ? { ...a, address: V4_NATIVE_TOKEN } : a
        const pool = planPool(base, b, feePips, tickSpacings[feePips]!, millionUsd * 1e6, -3n)
        return { ...pool, protocolFeePips: protocolFeeOf(base, feePips) }
      })

const pancakeSpacings: Readonly<Record<number, number>> = { 100: 1, 500: 10, 2500: 50, 10000: 200 }

const pancakePools: typeof v4Pools = [
  [["usdc", "usdt"], { feePips: 100, millionUsd: 12 }],
  [["native", "usdt"], { feePips: 500, millionUsd: 10 }],
  [["native", "usdc"], { feePips: 500, millionUsd: 5 }],
  [["native", "usdt"], { feePips: 2500, millionUsd: 6 }],
  [["weth", "usdt"], { feePips: 2500, millionUsd: 4 }]
]

/** Returns the PancakeSwap V3 pools of a sandbox chain. */
export const sandboxPancakePools = (chainId: EvmChainId): ReadonlyArray<PlannedPool> =>
  deploymentOf(chainId).pancakeV3 === undefined
    ? []
    : poolsWithTokens(chainId, pancakePools).map(([a, b, { feePips, millionUsd }]) =>
        planPool(a, b, feePips, pancakeSpacings[feePips]!, millionUsd * 1e6, 2n)
      )
