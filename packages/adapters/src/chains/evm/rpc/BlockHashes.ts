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
    requestHash: () => Promise<Hash32 | null>
  ): Promise<Hash32 | null> {
    const cachedChain = this.#chains.get(chainId)
    const chain = cachedChain?.headHash === head.hash ? cachedChain : { headHash: head.hash, hashes: new Map() }
    this.#chains.set(chainId, chain)
    const hash = chain.hashes.get(number) ?? requestHash()
    chain.hashes.set(number, hash)
    hash.catch(() => chain.hashes.delete(number))
    return hash
  }
}
