export {
  type Chain,
  ChainId,
  ChainIdNumber,
  chainOf,
  chains,
  EvmChainId,
  EvmChainIdNumber,
  evmChainIds,
  isEvmChainId,
  nextBlockDueMs
} from "./Chain.ts"
export { onEachChain, type UnreadChain } from "./onEachChain.ts"
export { queryEach } from "./queryEach.ts"
export { requireServed, ServedChains } from "./ServedChains.ts"
export { withTimeout } from "./withTimeout.ts"
