import { Context, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"
import type { Nft } from "./Nft.ts"

/** Maximum number of NFTs that are read per collection, because any account can send NFTs to any other. */
export const MAX_NFTS_OF_COLLECTION = 50

/** Reads NFTs of known collections: Uniswap V3 positions, and the collections that the operator configured. */
export class NftReader extends Context.Service<
  NftReader,
  {
    /** An account's NFTs, grouped by collection, newest first. */
    readonly owned: (chainId: EvmChainId, owner: Address) => Effect.Effect<ReadonlyArray<Nft>, UpstreamUnavailable>
  }
>()("@countersign/core/nfts/NftReader") {}
