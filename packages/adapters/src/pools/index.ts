export type { PoolBlock } from "./multicall.ts"
export { contractOf, feePipsOf, type PoolKey, type V4Key } from "./PoolKey.ts"
export { PoolReader, type PoolSnapshot } from "./PoolReader.ts"
export { isV4Id } from "./poolState.ts"
