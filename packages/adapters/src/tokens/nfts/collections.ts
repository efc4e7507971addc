import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"

/**
 * An NFT contract. ERC-721 contracts enumerate an account's NFTs. For ERC-1155 contracts the existing ids must be
 * known.
 */
export interface NftCollection {
  readonly chainId: EvmChainId
  readonly contract: Address
  /** Token ids of an ERC-1155 contract; null for an ERC-721 contract with enumeration. */
  readonly ids: ReadonlyArray<bigint> | null
}
