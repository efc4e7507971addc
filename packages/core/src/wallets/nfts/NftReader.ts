import { Context, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"
import type { Nft } from "./Nft.ts"

/**
 * Maximum number of NFTs that are read per collection. Without a limit, anyone could slow down the reads by sending
 * many NFTs to an account.
 */
export const MAX_NFTS_OF_COLLECTION = 50

/** Reads NFTs of known collections: Uniswap V3 positions, and the collections that the operator configured. */
export class NftReader extends Context.Service<
  NftReader,
  {
    /** Returns an account's NFTs, grouped by collection. ERC-721 NFTs are newest first. */
    readonly listOwned: (chainId: EvmChainId, owner: Address) => Effect.Effect<ReadonlyArray<Nft>, UpstreamUnavailable>
  }
>()("@countersign/core/nfts/NftReader") {}
