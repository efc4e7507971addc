export {
  type Chain,
  ChainId,
  ChainIdNumber,
  chainOf,
  chains,
  EvmChainId,
  EvmChainIdNumber,
  evmChainIds,
  isEvmChainId
} from "./Chain.ts"
