import { Effect } from "effect"
import type { BlockRef } from "../../accounting/history/index.ts"
import type { BitcoinChain } from "../chain/index.ts"
import { mapToUpstream } from "./walletUtxos.ts"

/**
 * Returns whether a block may still be on the chain: the server has the same block at its height, or has no block there
 * because it is behind. False after a reorg replaced the block.
 */
export const mayBeOnChain = (chain: BitcoinChain["Service"]) => (block: BlockRef) =>
  Effect.map(mapToUpstream(chain.blockHash(Number(block.number))), (hash) => hash === null || hash === block.hash)
