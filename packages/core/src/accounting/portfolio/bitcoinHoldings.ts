import { DateTime, Effect, Result } from "effect"
import { BitcoinChain, bitcoinToken as btc } from "../../bitcoin/chain/index.ts"
import { type UnreadChain, withTimeout } from "../../foundation/chains/index.ts"
import type { BitcoinAddress } from "../../foundation/primitives/index.ts"
import { tokenKey } from "../../foundation/tokens/index.ts"
import { readDisplayPrices } from "../market-data/index.ts"
import type { Holding } from "./holdings.ts"

interface BitcoinHoldings {
  /** The bitcoin balance as a list with one element. Empty if there is neither a balance nor a pending transaction. */
  readonly results: ReadonlyArray<Holding>
  readonly unread: ReadonlyArray<UnreadChain>
}

/** Returns the balance of a Bitcoin address, or the reason why it could not be read. */
export const bitcoinHoldings = Effect.fnUntraced(function* (address: BitcoinAddress) {
  const chain = yield* BitcoinChain
  const balanceResult = yield* Effect.result(withTimeout(btc.chainId, chain.balanceOf(address)))
  if (Result.isFailure(balanceResult)) {
    const unreadHoldings: BitcoinHoldings = {
      results: [],
      unread: [{ chainId: btc.chainId, reason: balanceResult.failure.message }]
    }
    return unreadHoldings
  }
  const { confirmed, unconfirmed } = balanceResult.success
  const price = (yield* readDisplayPrices([btc])).get(tokenKey(btc)) ?? null
  const holding: Holding = { token: btc, units: confirmed, unconfirmed, price, asOf: yield* DateTime.now }
  const holdings: BitcoinHoldings = { results: confirmed === 0n && unconfirmed === 0n ? [] : [holding], unread: [] }
  return holdings
})
