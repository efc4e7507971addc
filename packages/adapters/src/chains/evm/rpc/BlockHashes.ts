import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Hash32 } from "@countersign/core/foundation/primitives"
import type { LatestBlock } from "./latestBlocks.ts"

interface Chain {
  readonly headHash: string
  readonly hashes: Map<bigint, Promise<Hash32 | null>>
}

/**
 * Caches the blocks of each chain by number until the chain's head changes, so that a watched block is requested once
 * per head.
 */
export class BlockHashes {
  readonly #chains = new Map<EvmChainId, Chain>()

  /** Reads a block; null if the node does not have it. */
  at(
    chainId: EvmChainId,
    head: LatestBlock,
    number: bigint,
    ask: () => Promise<Hash32 | null>
  ): Promise<Hash32 | null> {
    const cachedBlocks = this.#chains.get(chainId)
    const chain = cachedBlocks?.headHash === head.hash ? cachedBlocks : { headHash: head.hash, hashes: new Map() }
    this.#chains.set(chainId, chain)
    const hash = chain.hashes.get(number) ?? ask()
    chain.hashes.set(number, hash)
    hash.catch(() => chain.hashes.delete(number))
    return hash
  }
}
