import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"

/** NFT metadata from the contract, or from a page that the contract links to. All of it is untrusted text. */
export interface NftMetadata {
  readonly name: string | null
  readonly description: string | null
  /** An https URL, or a data URL of an image. */
  readonly image: string | null
}

/** An ERC-721 or ERC-1155 NFT that an account owns. */
export interface Nft {
  readonly chainId: EvmChainId
  readonly contract: Address
  readonly collection: { readonly name: string | null; readonly symbol: string | null }
  readonly tokenId: bigint
  /** Always 1 for ERC-721; the balance for ERC-1155. */
  readonly amount: bigint
  /**
   * Null if the NFT has no metadata, or if they can't be read at present. UNDECODABLE: the contract's response is not
   * valid metadata.
   */
  readonly metadata: NftMetadata | "UNDECODABLE" | null
}
