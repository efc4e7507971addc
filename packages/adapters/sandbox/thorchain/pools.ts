import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { chainNameOrNull } from "../../src/exchanges/thorchain/index.ts"
import { BTC_USD8, type Role, type SandboxToken, sandboxTokens } from "../deployment/market.ts"

/** A pool of the simulated THORChain. Its price equals that of the sandbox's other pools. */
export interface ThorPool {
  readonly asset: string
  readonly chainId: EvmChainId
  readonly token: Address
  readonly decimals: number
  readonly priceUsd8: bigint
}

const nativeSymbols = { 1: "ETH", 56: "BNB", 8453: "ETH", 43114: "AVAX" } as const
const tokenRoles: ReadonlyArray<Role> = ["usdc", "usdt", "btc"]

const poolsOf = (chainId: keyof typeof nativeSymbols): ReadonlyArray<ThorPool> => {
  const chainName = chainNameOrNull(chainId)!
  const tokens = sandboxTokens(chainId)
  const poolOf = ({ address, decimals, priceUsd8, symbol }: SandboxToken): ThorPool => ({
    asset: `${chainName}.${symbol}-${address}`.toUpperCase(),
    chainId,
    token: address,
    decimals,
    priceUsd8
  })
  const nativeToken = { asset: `${chainName}.${nativeSymbols[chainId]}`, chainId, token: NATIVE_TOKEN, decimals: 18 }
  return [
    { ...nativeToken, priceUsd8: tokens[0]!.priceUsd8 },
    ...tokens.filter(({ role }) => tokenRoles.includes(role)).map(poolOf)
  ]
}

export const thorPools: ReadonlyArray<ThorPool> = ([1, 56, 8453, 43114] as const).flatMap(poolsOf)

/**
 * Finds the pool of an asset. The text may contain only the end of the asset's address. Undefined if no pool or several
 * pools match.
 */
export const findPool = (text: string): ThorPool | undefined => {
  const [symbol = "", suffix] = text.toUpperCase().split("-")
  const matchingPools = thorPools.filter(({ asset }) =>
    suffix === undefined ? asset === symbol : asset.startsWith(`${symbol}-`) && asset.endsWith(suffix)
  )
  return matchingPools.length === 1 ? matchingPools[0] : undefined
}

const E8 = 10n ** 8n
/** Fee for THORChain's outbound transaction: one US dollar. */
const OUTBOUND_USD8 = E8
/** 0.1 %, or half of it for a streaming swap with several parts. */
const FEE_BPS = 10n
const PART_SATS = 20_000_000n

export const partsOf = (satoshis: bigint): number => Number((satoshis + PART_SATS - 1n) / PART_SATS)

/** Computes the output of a deposit, in units of 1e-8. */
export const outputOf = ({ priceUsd8 }: ThorPool, satoshis: bigint, isStreamed: boolean) => {
  const grossE8 = (satoshis * BTC_USD8) / priceUsd8
  const bps = isStreamed && partsOf(satoshis) > 1 ? FEE_BPS / 2n : FEE_BPS
  const liquidityFee = (grossE8 * bps) / 10_000n
  const outboundFee = (OUTBOUND_USD8 * E8) / priceUsd8
  return { liquidity: liquidityFee, outbound: outboundFee, net: grossE8 - liquidityFee - outboundFee }
}
