import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { lendingOf, type MorphoMarketParams, priceFeedsOf } from "../../src/chains/deployments/index.ts"
import { type Role, type SandboxToken, sandboxTokens } from "./market.ts"

/** An asset of Aave's market on a sandbox chain. Percentages are in units of 0.01 %. */
export interface SandboxReserve {
  readonly token: SandboxToken
  readonly feed: Address
  readonly ltv: number
  readonly liquidationThreshold: number
  readonly liquidationBonus: number
  readonly isStable: boolean
}

type Risk = Pick<SandboxReserve, "ltv" | "liquidationThreshold" | "liquidationBonus">

const nativeTokenRisk: Risk = { ltv: 8_050, liquidationThreshold: 8_300, liquidationBonus: 10_500 }
const stablecoinRisk: Risk = { ltv: 7_500, liquidationThreshold: 7_800, liquidationBonus: 10_450 }
const otherTokenRisk: Risk = { ltv: 6_600, liquidationThreshold: 7_100, liquidationBonus: 10_700 }

/** Risk parameters by role, close to those of Aave's market on Ethereum. USDT is not collateral, as on most chains. */
const riskByRole: Readonly<Record<Exclude<Role, "rwa">, Risk>> = {
  native: nativeTokenRisk,
  weth: nativeTokenRisk,
  btc: { ltv: 7_300, liquidationThreshold: 7_800, liquidationBonus: 10_500 },
  usdc: stablecoinRisk,
  dai: { ...stablecoinRisk, ltv: 6_300, liquidationThreshold: 7_700 },
  usdt: { ltv: 0, liquidationThreshold: 0, liquidationBonus: 0 },
  other: otherTokenRisk
}

const feedsOf = (chainId: EvmChainId): ReadonlyMap<Address, Address> =>
  new Map(priceFeedsOf(chainId).feeds.map(({ feed, token }) => [token, feed]))

/** Returns the reserves of a chain: all tokens with a price feed, except real-world assets. */
export const sandboxReserves = (chainId: EvmChainId): ReadonlyArray<SandboxReserve> => {
  const feeds = feedsOf(chainId)
  return sandboxTokens(chainId).flatMap((token) => {
    const feed = feeds.get(token.address)
    if (feed === undefined || token.role === "rwa") return []
    const isStable = ["usdc", "usdt", "dai"].includes(token.role)
    return [{ token, feed, isStable, ...riskByRole[token.role] }]
  })
}

/** A Morpho Blue market whose tokens and feeds exist in the sandbox. */
export interface SandboxMorphoMarket {
  readonly params: MorphoMarketParams
  readonly loan: SandboxToken
  readonly collateral: SandboxToken
  readonly loanFeed: Address
  readonly collateralFeed: Address
}

export const sandboxMorphoMarkets = (chainId: EvmChainId): ReadonlyArray<SandboxMorphoMarket> => {
  const feeds = feedsOf(chainId)
  const tokens = new Map(sandboxTokens(chainId).map((token) => [token.address, token]))
  return (lendingOf(chainId).morphoBlue?.markets ?? []).flatMap(({ params }) => {
    if (params === null) return []
    const [loan, collateral] = [tokens.get(params.loanToken), tokens.get(params.collateralToken)]
    const [loanFeed, collateralFeed] = [feeds.get(params.loanToken), feeds.get(params.collateralToken)]
    return loan === undefined || collateral === undefined || loanFeed === undefined || collateralFeed === undefined
      ? []
      : [{ params, loan, collateral, loanFeed, collateralFeed }]
  })
}

/** Converts US dollars to base units of a token. */
export const amountForUsd = ({ decimals, priceUsd8 }: SandboxToken, usd: bigint): bigint =>
  (usd * 10n ** BigInt(8 + decimals)) / priceUsd8
