import { Effect } from "effect"
import { BitcoinChain, type BitcoinTransaction } from "../chain/index.ts"
import { mapToUpstream } from "./walletUtxos.ts"

/** Returns a transaction's number of confirmations at the chain's tip. 0 if no block includes it. */
export const confirmationsOfTransaction = Effect.map(
  BitcoinChain,
  (chain) =>
    ({ block }: BitcoinTransaction) =>
      block === null
        ? Effect.succeed(0)
        : Effect.map(mapToUpstream(chain.tipHeight), (height) => Math.max(1, height - block.height + 1))
)
