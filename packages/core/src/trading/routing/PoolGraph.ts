import type { Address } from "../../foundation/primitives/index.ts"
import type { Pool } from "../liquidity/index.ts"
import type { Hop } from "./Route.ts"

/** Maximum number of hops of a path. */
export const MAX_HOPS = 3

const NO_HOPS: ReadonlyArray<Hop> = []

/** Returns the hops from one token to another. */
export type PoolGraph = (from: Address, to: Address) => ReadonlyArray<Hop>

export const graphOf = (pools: ReadonlyArray<Pool>): PoolGraph => {
  const edges = new Map<Address, Map<Address, Array<Hop>>>()
  const add = (from: Address, to: Address, hop: Hop) => {
    const targets = edges.get(from) ?? new Map<Address, Array<Hop>>()
    const hops = targets.get(to) ?? []
    hops.push(hop)
    targets.set(to, hops)
    edges.set(from, targets)
  }
  for (const pool of pools) {
    add(pool.token0, pool.token1, { pool, zeroForOne: true })
    add(pool.token1, pool.token0, { pool, zeroForOne: false })
  }
  return (from, to) => edges.get(from)?.get(to) ?? NO_HOPS
}
