import { DateTime, Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"
import { type Token, TokenCatalog, tokenKey } from "../../foundation/tokens/index.ts"
import { ChainReader } from "../../operations/user-operations/index.ts"
import { type ShownPrice, shownPrices } from "../market-data/index.ts"

/** An account's balance of a token. */
export interface Holding {
  readonly token: Token
  /** Base units. */
  readonly units: bigint
  /** What waiting transactions add, or take where it is below zero. Of Bitcoin alone. */
  readonly unconfirmed?: bigint
  readonly price: ShownPrice | null
  /** Time of the block that the balance is of; of Bitcoin, when it was read. */
  readonly asOf: DateTime.Utc
}

/** As many tokens as a chain's list may have. */
const TOKENS_MAX = 1_000

/** Balances of the chain's coin and of every listed token, without those of zero, by one request to its node. */
export const holdingsOn = Effect.fnUntraced(function* (address: Address, chainId: EvmChainId) {
  const catalog = yield* TokenCatalog
  const { tokens } = yield* catalog.search({ text: "", chainIds: [chainId], offset: 0, limit: TOKENS_MAX })
  const reader = yield* ChainReader
  const request = { address, tokens: tokens.map((token) => token.address), allowances: [] }
  const state = yield* reader.accountState(chainId, request)
  const owned = tokens.flatMap((token) => {
    const units = state.balances.get(tokenKey(token)) ?? 0n
    return units === 0n ? [] : [{ token, units }]
  })
  const prices = yield* shownPrices(owned.map(({ token }) => token))
  const asOf = DateTime.makeUnsafe(state.blockTimestamp * 1_000)
  return owned.map(({ token, units }): Holding => ({ token, units, price: prices.get(tokenKey(token)) ?? null, asOf }))
})
