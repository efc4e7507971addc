export { NftMetadataDecodeFailed } from "./errors.ts"
export type { Nft, NftMetadata } from "./Nft.ts"
export { MAX_NFTS_OF_COLLECTION, NftReader } from "./NftReader.ts"
