import { DateTime, Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"
import { type Token, TokenCatalog, tokenKey } from "../../foundation/tokens/index.ts"
import { ChainReader } from "../../operations/user-operations/index.ts"
import { type DisplayPrice, readDisplayPrices } from "../market-data/index.ts"

/** An account's balance of a token. */
export interface Holding {
  readonly token: Token
  /** Base units. */
  readonly units: bigint
  /** The balance change that unconfirmed transactions cause. Negative for a decrease. Only set for Bitcoin. */
  readonly unconfirmed?: bigint
  readonly price: DisplayPrice | null
  /** The timestamp of the balance's block. For Bitcoin, the time of the request. */
  readonly asOf: DateTime.Utc
}

/** Maximum number of listed tokens that are read per chain. */
const TOKENS_MAX = 1_000

/**
 * Reads the nonzero balances of the native token and of listed tokens on a chain, at most `TOKENS_MAX`, and their
 * prices.
 */
export const holdingsOn = Effect.fnUntraced(function* (address: Address, chainId: EvmChainId) {
  const catalog = yield* TokenCatalog
  const { tokens } = yield* catalog.search({ text: "", chainIds: [chainId], offset: 0, limit: TOKENS_MAX })
  const reader = yield* ChainReader
  const request = { address, tokens: tokens.map((token) => token.address), allowances: [] }
  const state = yield* reader.readAccountState(chainId, request)
  const ownedTokens = tokens.flatMap((token) => {
    const units = state.balances.get(tokenKey(token)) ?? 0n
    return units === 0n ? [] : [{ token, units }]
  })
  const prices = yield* readDisplayPrices(ownedTokens.map(({ token }) => token))
  const asOf = DateTime.makeUnsafe(state.blockTimestamp * 1_000)
  return ownedTokens.map(
    ({ token, units }): Holding => ({ token, units, price: prices.get(tokenKey(token)) ?? null, asOf })
  )
})
