import { Effect } from "effect"
import type { Hash32 } from "../../foundation/primitives/index.ts"
import { BitcoinChain, type PreviousOutput } from "../chain/index.ts"
import { mapToUpstream } from "./walletUtxos.ts"

/**
 * Finds a transaction that conflicts with the transaction `txid`: it spends one of the same UTXOs. Null if there is no
 * conflict.
 */
export const utxoConflicts = Effect.map(BitcoinChain, (chain) =>
  Effect.fnUntraced(function* (utxos: ReadonlyArray<Pick<PreviousOutput, "txid" | "vout">>, txid: Hash32) {
    for (const utxo of utxos) {
      const spender = yield* mapToUpstream(chain.spenderOf(utxo))
      if (spender !== null && spender !== txid) return yield* mapToUpstream(chain.findTransaction(spender))
    }
    return null
  })
)
