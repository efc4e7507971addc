import { Address } from "@countersign/core/foundation/primitives"
import type { Pool } from "@countersign/core/trading/liquidity"
import type { PoolKey } from "../pools/index.ts"

/**
 * Returns an alias of a token within one exchange: the token's address with another first byte. No contract has this
 * address.
 */
const exchangeTokenOf = (token: Address, exchange: number): Address => {
  const firstByte = Number.parseInt(token.slice(2, 4), 16) ^ exchange
  return Address.make(`0x${firstByte.toString(16).padStart(2, "0")}${token.slice(4)}`)
}

/**
 * Pools with aliased tokens. Each is created only once, because cached computations depend on the object's identity.
 */
const renamedPools = new WeakMap<Pool, Map<string, Pool>>()

const withTokenNames = (pool: Pool, token0: Address, token1: Address): Pool => {
  if (token0 === pool.token0 && token1 === pool.token1) return pool
  const names = renamedPools.get(pool) ?? new Map<string, Pool>()
  renamedPools.set(pool, names)
  const key = `${token0}${token1}`
  const cachedPool = names.get(key)
  if (cachedPool !== undefined) return cachedPool
  const renamedPool = { ...pool, token0, token1 }
  names.set(key, renamedPool)
  return renamedPool
}

export interface JoinablePools {
  readonly pools: ReadonlyArray<Pool>
  /** The hub tokens and all of their aliases. */
  readonly hubs: ReadonlyArray<Address>
}

/**
 * Replaces tokens by aliases, so that a route only joins pools that one router can use in sequence. For an exchange
 * that Uniswap's routers do not support, all tokens except the route's first and last one get aliases.
 */
export const joinablePools = (
  pools: ReadonlyArray<Pool>,
  keyOf: (id: string) => PoolKey,
  isKnownToUniswap: (key: PoolKey) => boolean,
  ends: readonly [Address, Address],
  hubs: ReadonlyArray<Address>
): JoinablePools => {
  const exchanges: Array<string> = []
  const joinable = pools.map((pool) => {
    const key = keyOf(pool.id)
    if (isKnownToUniswap(key)) return pool
    if (!exchanges.includes(key.venue)) exchanges.push(key.venue)
    const nameOf = (token: Address) =>
      ends.includes(token) ? token : exchangeTokenOf(token, exchanges.indexOf(key.venue) + 1)
    return withTokenNames(pool, nameOf(pool.token0), nameOf(pool.token1))
  })
  return {
    pools: joinable,
    hubs: [...hubs, ...exchanges.flatMap((_, i) => hubs.map((hub) => exchangeTokenOf(hub, i + 1)))]
  }
}
