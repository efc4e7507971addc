export type { PoolBlock } from "./multicall.ts"
export { contractOf, feePipsOf, type PoolKey } from "./PoolKey.ts"
export { PoolReader, type PoolSnapshot } from "./PoolReader.ts"
