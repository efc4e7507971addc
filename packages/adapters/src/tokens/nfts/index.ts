export type { NftCollection } from "./collections.ts"
export * as EvmNftReader from "./EvmNftReader.ts"
