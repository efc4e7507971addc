import { Schema } from "effect"
import { chainOf, EvmChainId } from "../../foundation/chains/index.ts"
import { Address } from "../../foundation/primitives/index.ts"

/** The metadata of a position's NFT does not follow its standard. */
export class NftMetadataDecodeFailed extends Schema.TaggedError<NftMetadataDecodeFailed>(
  "core/nfts/NftMetadataDecodeFailed"
)("NFT_METADATA_DECODE_FAILED", { chainId: EvmChainId, contract: Address, tokenId: Schema.String }) {
  override get message(): string {
    return `The metadata of NFT ${this.tokenId} of ${this.contract} on ${chainOf(this.chainId).name} could not be decoded.`
  }
}
