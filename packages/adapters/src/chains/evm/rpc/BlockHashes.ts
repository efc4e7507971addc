import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Hash32 } from "@countersign/core/foundation/primitives"
import type { LatestBlock } from "./latestBlocks.ts"

interface Chain {
  readonly headHash: string
  readonly hashes: Map<bigint, Promise<Hash32 | null>>
}

/** The blocks of each chain by number, cached until its head changes: a watched block is requested once per head. */
export class BlockHashes {
  readonly #chains = new Map<EvmChainId, Chain>()

  /** Null if the node has no such block. */
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
