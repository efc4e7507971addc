import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"

/** What an NFT's contract, or a page that it names, tells of it. All of it is somebody else's text. */
export interface NftMetadata {
  readonly name: string | null
  readonly description: string | null
  /** An https URL, or a data URL of an image. */
  readonly image: string | null
}

/** An NFT of ERC-721 or ERC-1155 that an account owns. */
export interface Nft {
  readonly chainId: EvmChainId
  readonly contract: Address
  readonly collection: { readonly name: string | null; readonly symbol: string | null }
  readonly tokenId: bigint
  /** One of ERC-721; as many as there are of ERC-1155. */
  readonly amount: bigint
  /** Null where there is none, or none that can be read now. UNDECODABLE: what its contract answers is no metadata. */
  readonly metadata: NftMetadata | "UNDECODABLE" | null
}
