import { Effect } from "effect"
import type { BlockRef } from "../../accounting/history/index.ts"
import type { BitcoinChain } from "../chain/index.ts"
import { mapToUpstream } from "./walletUtxos.ts"

/**
 * Returns whether a block may still be on the chain. False after a reorg replaced it. A server that is behind does not
 * have the block, or does not have its transactions yet.
 */
export const mayBeOnChain = (chain: BitcoinChain["Service"]) => (block: BlockRef) =>
  Effect.map(mapToUpstream(chain.blockHash(Number(block.number))), (hash) => hash === null || hash === block.hash)
