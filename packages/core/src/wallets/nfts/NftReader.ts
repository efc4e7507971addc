import { Context, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"
import type { Nft } from "./Nft.ts"

/** Anybody can give an account NFTs, so no more of a collection are looked at. */
export const MAX_NFTS_OF_COLLECTION = 50

/** NFTs of the collections that the service knows: positions of Uniswap V3, and those that the operator has named. */
export class NftReader extends Context.Service<
  NftReader,
  {
    /** An account's NFTs, by collection, newest first. */
    readonly owned: (chainId: EvmChainId, owner: Address) => Effect.Effect<ReadonlyArray<Nft>, UpstreamUnavailable>
  }
>()("@countersign/core/nfts/NftReader") {}
