import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"

/** The metadata to which an NFT's token URI refers: in the URI itself, or at its URL. All of it is untrusted text. */
export interface NftMetadata {
  readonly name: string | null
  readonly description: string | null
  /** An https URL, or an image as a data URL. Null if the metadata contain no valid image. */
  readonly image: string | null
}

/** An ERC-721 or ERC-1155 NFT that an account owns. */
export interface Nft {
  readonly chainId: EvmChainId
  readonly contract: Address
  readonly collection: { readonly name: string | null; readonly symbol: string | null }
  readonly tokenId: bigint
  /** The balance for ERC-1155. Always 1 for ERC-721. */
  readonly amount: bigint
  /**
   * Null if the NFT has no metadata, or if it can't be read at present. UNDECODABLE: the contract's response is not
   * valid metadata.
   */
  readonly metadata: NftMetadata | "UNDECODABLE" | null
}
