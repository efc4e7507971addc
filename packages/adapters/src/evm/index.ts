export { entryPointAbi } from "./abi/entryPoint.ts"
export { erc20Abi } from "./abi/erc20.ts"
export { accountImplementations } from "./accounts/accountImplementations.ts"
export * as EvmAccountAddresses from "./accounts/EvmAccountAddresses.ts"
export * as EvmAccountInspector from "./accounts/EvmAccountInspector.ts"
export * as EvmAccountOperations from "./accounts/EvmAccountOperations.ts"
export { hasValidChecksum } from "./addressText.ts"
export * as BundlerGasPrices from "./BundlerGasPrices.ts"
export * as NodeBundler from "./bundler/NodeBundler.ts"
export * as RpcBundler from "./bundler/RpcBundler.ts"
export * as SelfBundler from "./bundler/SelfBundler.ts"
export type { EntryPointSimulations } from "./bundler/simulation/simulationRequest.ts"
export { suggestedFees } from "./gasPrice.ts"
export { addressFromHex, bytesFromHex, hash32FromHex, hex } from "./hex.ts"
export {
  addressOfKey,
  type OperatorAddresses,
  type OperatorKeys,
  operatorAddresses,
  operatorKeyProblem
} from "./operator/operatorKeys.ts"
export * as Erc7677Paymaster from "./paymaster/Erc7677Paymaster.ts"
export type { SelfPaymasterOptions } from "./paymaster/SelfPaymaster.ts"
export * as SelfPaymaster from "./paymaster/SelfPaymaster.ts"
export { layer as RpcClientsLayer, RpcClients } from "./RpcClients.ts"
export { revertReason } from "./revertReason.ts"
export { ChainHead } from "./rpc/ChainHead.ts"
export { HostFailure } from "./rpc/host/HostFailure.ts"
export { JsonRpcHost } from "./rpc/host/JsonRpcHost.ts"
export { JsonRpcError } from "./rpc/JsonRpcError.ts"
export { type HostHealth, type HostState, RpcHealth } from "./rpc/RpcHealth.ts"
export { systemTime } from "./rpc/RpcTime.ts"
export type { RpcLimits, RpcOptions } from "./rpc/rpcConnections.ts"
export * as ViemChainReader from "./ViemChainReader.ts"
