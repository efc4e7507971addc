import type { Address } from "@countersign/core/foundation/primitives"
import type { ChainDeployment } from "../../chains/deployments/index.ts"
import type { PoolKey } from "../pools/index.ts"

/** Tokens with which most pools are paired. Routes use them as intermediate tokens. */
const HUB_SYMBOLS = new Set(["USDC", "USDT", "USDT0", "DAI", "WBTC", "BTCB", "WETH"])

export const hubsOf = ({ tokens, wrappedNative }: ChainDeployment): ReadonlyArray<Address> => [
  ...new Set([
    wrappedNative.address,
    ...tokens.filter(({ symbol }) => HUB_SYMBOLS.has(symbol)).map(({ address }) => address)
  ])
]

/** Returns all pools that a route of at most three hops through hub tokens can use. */
export const candidatePools = (
  keysOf: (a: Address, b: Address) => ReadonlyArray<PoolKey>,
  tokenIn: Address,
  tokenOut: Address,
  hubs: ReadonlyArray<Address>
): ReadonlyMap<string, PoolKey> => {
  const tokens = [...new Set([tokenIn, tokenOut, ...hubs])]
  const pairs = tokens.flatMap((a, i) => tokens.slice(i + 1).map((b) => [a, b] as const))
  return new Map(pairs.flatMap(([a, b]) => keysOf(a, b)).map((key) => [key.id, key] as const))
}
