import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"

/** A contract of NFTs. Those of ERC-721 list what an account owns; of ERC-1155 the ids that exist must be known. */
export interface NftCollection {
  readonly chainId: EvmChainId
  readonly contract: Address
  /** The ids of an ERC-1155; null of an ERC-721 with enumeration. */
  readonly ids: ReadonlyArray<bigint> | null
}
