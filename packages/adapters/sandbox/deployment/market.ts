import type { EvmChainId } from "@countersign/core/foundation/chains"
import { deploymentOf, type ListedToken } from "../../src/chains/deployments/index.ts"

/** The price of one bitcoin, in units of 1e-8 US dollar. */
export const BTC_USD8 = 95_000_00000000n

/** Prices in the pools by token symbol, in units of 1e-8 US dollar. */
const priceUsd8BySymbol: Readonly<Record<string, bigint>> = {
  WETH: 3_000_00000000n,
  WBTC: BTC_USD8,
  BTCB: BTC_USD8,
  cbBTC: BTC_USD8,
  WBNB: 600_00000000n,
  WPOL: 40000000n,
  WXDAI: 1_00000000n,
  WOKB: 100_00000000n,
  WAVAX: 30_00000000n,
  USDC: 1_00000000n,
  USDT: 1_00000000n,
  USDT0: 1_00000000n,
  DAI: 1_00000000n,
  "DAI.e": 1_00000000n,
  LINK: 20_00000000n,
  UNI: 10_00000000n,
  OP: 1_50000000n,
  Cake: 2_50000000n,
  GNO: 200_00000000n,
  ARB: 80000000n,
  USDY: 1_10000000n
}

export type Role = "native" | "weth" | "usdc" | "usdt" | "dai" | "btc" | "other" | "rwa"

const symbolsByChain: Readonly<Record<EvmChainId, Partial<Record<Role, string>>>> = {
  1: { usdc: "USDC", usdt: "USDT", dai: "DAI", btc: "WBTC", other: "LINK", rwa: "USDY" },
  10: { usdc: "USDC", usdt: "USDT", dai: "DAI", btc: "WBTC", other: "OP" },
  56: { weth: "WETH", usdc: "USDC", usdt: "USDT", dai: "DAI", btc: "BTCB", other: "Cake" },
  100: { weth: "WETH", usdc: "USDC", usdt: "USDT", btc: "WBTC", other: "GNO" },
  137: { weth: "WETH", usdc: "USDC", usdt: "USDT0", dai: "DAI", btc: "WBTC", other: "LINK" },
  196: { weth: "WETH", usdc: "USDC", usdt: "USDT0", dai: "DAI", btc: "WBTC" },
  8453: { usdc: "USDC", usdt: "USDT", dai: "DAI", btc: "WBTC", other: "cbBTC" },
  42161: { usdc: "USDC", usdt: "USDT0", dai: "DAI", btc: "WBTC", other: "ARB", rwa: "USDY" },
  43114: { weth: "WETH", usdc: "USDC", usdt: "USDT", dai: "DAI.e", btc: "WBTC", other: "LINK" }
}

export interface SandboxToken extends ListedToken {
  readonly role: Role
  /** In units of 1e-8 US dollar. */
  readonly priceUsd8: bigint
}

/** Returns the tokens of a sandbox chain at their production addresses. The wrapped native token is the first one. */
export const sandboxTokens = (chainId: EvmChainId): ReadonlyArray<SandboxToken> => {
  const { tokens, wrappedNative } = deploymentOf(chainId)
  const bySymbol = Object.entries({ native: wrappedNative.symbol, ...symbolsByChain[chainId] }) as ReadonlyArray<
    readonly [Role, string]
  >
  return bySymbol.map(([role, symbol]) => {
    const listedToken = role === "native" ? wrappedNative : tokens.find((token) => token.symbol === symbol)
    const priceUsd8 = priceUsd8BySymbol[symbol]
    if (listedToken === undefined || priceUsd8 === undefined)
      throw new Error(`the sandbox has no price or listed address of ${symbol} on chain ${chainId}`)
    return { ...listedToken, role, priceUsd8 }
  })
}

export interface PairOfRoles {
  readonly roles: readonly [Role, Role]
  /** Fees in hundredths of a basis point. */
  readonly feePips: ReadonlyArray<number>
  /** TVL of the largest fee tier, in millions of US dollars. */
  readonly sizeMillionUsd: number
}

const commonPairs: ReadonlyArray<PairOfRoles> = [
  { roles: ["usdc", "usdt"], feePips: [100], sizeMillionUsd: 20 },
  { roles: ["usdc", "dai"], feePips: [100], sizeMillionUsd: 10 },
  { roles: ["weth", "usdc"], feePips: [500, 3000, 10000], sizeMillionUsd: 12 },
  { roles: ["weth", "usdt"], feePips: [500, 3000], sizeMillionUsd: 6 },
  { roles: ["btc", "weth"], feePips: [500, 3000], sizeMillionUsd: 8 },
  { roles: ["btc", "usdc"], feePips: [3000], sizeMillionUsd: 5 },
  { roles: ["other", "weth"], feePips: [3000], sizeMillionUsd: 3 },
  { roles: ["other", "usdc"], feePips: [3000, 10000], sizeMillionUsd: 2 },
  { roles: ["rwa", "usdc"], feePips: [500], sizeMillionUsd: 4 }
]

const pairsOfOtherNativeTokens: ReadonlyArray<PairOfRoles> = [
  { roles: ["native", "usdc"], feePips: [500, 3000, 10000], sizeMillionUsd: 10 },
  { roles: ["native", "usdt"], feePips: [500], sizeMillionUsd: 5 },
  { roles: ["native", "weth"], feePips: [500, 3000], sizeMillionUsd: 6 }
]

/** Maps the role `weth` to `native` on chains whose native token is ether. */
export const roleOn = (chainId: EvmChainId, role: Role): Role =>
  role === "weth" && symbolsByChain[chainId].weth === undefined ? "native" : role

export const sandboxPairs = (chainId: EvmChainId): ReadonlyArray<PairOfRoles> => {
  const symbols = symbolsByChain[chainId]
  const isPresent = (role: Role) => role === "native" || symbols[role] !== undefined
  const pairs =
    symbols.weth === undefined
      ? commonPairs.map((pair) => ({
          ...pair,
          roles: [roleOn(chainId, pair.roles[0]), roleOn(chainId, pair.roles[1])] as const
        }))
      : [...commonPairs, ...pairsOfOtherNativeTokens]
  return pairs.filter(({ roles: [a, b] }) => isPresent(a) && isPresent(b))
}
