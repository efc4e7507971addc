import { Schema } from "effect"
import { chainOf, EvmChainId } from "../../foundation/chains/index.ts"
import { Address } from "../../foundation/primitives/index.ts"

/** The metadata that a position's contract answers is not what its standard says. */
export class NftMetadataDecodeFailed extends Schema.TaggedError<NftMetadataDecodeFailed>(
  "core/nfts/NftMetadataDecodeFailed"
)("NFT_METADATA_DECODE_FAILED", { chainId: EvmChainId, contract: Address, tokenId: Schema.String }) {
  override get message(): string {
    return `The metadata of NFT ${this.tokenId} of ${this.contract} on ${chainOf(this.chainId).name} could not be decoded.`
  }
}
