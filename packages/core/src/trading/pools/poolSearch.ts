import { Effect } from "effect"
import type { ChainId, EvmChainId } from "../../foundation/chains/index.ts"
import { BadRequest } from "../../foundation/errors/index.ts"
import { type Address, ratioFromPercent } from "../../foundation/primitives/index.ts"
import { requireListed, type Token, type TokenCatalog, type TokenRef } from "../../foundation/tokens/index.ts"
import type { ValuedPool } from "./LiquidityPool.ts"
import { poolId } from "./poolId.ts"

export interface PoolSearch {
  readonly chainId: ChainId
  /** Null for any listed token. */
  readonly token0: Address | null
  readonly token1: Address | null
  /** Null for every fee tier. */
  readonly feePercent: number | null
  readonly rangeInDays: number
  /** The id of the last pool of the previous page. Null for the first page. */
  readonly lastId: string | null
  readonly take: number
}

/** Maximum number of a chain's tokens that a search without a token covers. */
const LISTED_MAX = 1_000

const PIPS = 1_000_000n
const PIPS_OF_A_PERCENT = 10_000

export const feePipsOf = (feePercent: number | null): number | null => {
  if (feePercent === null) return null
  const { denominator, numerator } = ratioFromPercent(feePercent)
  return Number((numerator * PIPS) / denominator)
}

/** Fails if no pool of the chain can have the fee. The error lists the possible fees in percent. */
export const requireFeeTier = (
  feePercent: number | null,
  tiers: ReadonlyArray<number>
): Effect.Effect<void, BadRequest> => {
  const percents = tiers.map((tier) => tier / PIPS_OF_A_PERCENT)
  return feePercent === null || percents.includes(feePercent)
    ? Effect.void
    : BadRequest.of(
        "fee",
        "unknown_fee",
        `There is no fee tier of ${feePercent} percent. Expected one of ${percents.join(", ")}.`
      )
}

/** Returns the pairs of listed tokens that a search covers. */
export const searchedPairs = Effect.fnUntraced(function* (
  catalog: TokenCatalog["Service"],
  chainId: EvmChainId,
  { token0, token1 }: PoolSearch
) {
  if (token0 !== null && token0 === token1) {
    return yield* BadRequest.of("token1", "same_token", "A pool has two tokens: token1 is the same as token0.")
  }
  const requestedTokens: Readonly<Record<string, TokenRef>> = {
    ...(token0 === null ? {} : { token0: { chainId, address: token0 } }),
    ...(token1 === null ? {} : { token1: { chainId, address: token1 } })
  }
  const [first, second] = Object.values(yield* requireListed(catalog, requestedTokens))
  if (first !== undefined && second !== undefined) return [[first, second] as const]
  const { tokens } = yield* catalog.search({ text: "", chainIds: [chainId], offset: 0, limit: LISTED_MAX })
  if (first !== undefined) return tokens.map((other: Token) => [first, other] as const)
  return tokens.flatMap((token: Token, i) => tokens.slice(i + 1).map((other) => [token, other] as const))
})

/** Returns the index of the first pool after the last pool of the previous page. */
export const startIndexAfter = (
  pools: ReadonlyArray<ValuedPool>,
  lastId: string | null
): Effect.Effect<number, BadRequest> => {
  if (lastId === null) return Effect.succeed(0)
  const lastIndex = pools.findIndex(({ state }) => poolId(state) === lastId.toLowerCase())
  return lastIndex >= 0
    ? Effect.succeed(lastIndex + 1)
    : BadRequest.of(
        "lastId",
        "unknown_cursor",
        "The results of this search contain no pool with this id. Use nextLastId from the previous page, or omit lastId."
      )
}
