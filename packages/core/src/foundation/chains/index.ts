export { withTimeout as answerInTime } from "./answerInTime.ts"
export { queryEach as askEach } from "./askEach.ts"
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
export { requireServed, ServedChains } from "./ServedChains.ts"
