export { type Chain, ChainId, chainOf, chains, EvmChainId, evmChainIds, isEvmChainId } from "./Chain.ts"
