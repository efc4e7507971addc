export { entryPointAbi } from "./abi/entryPoint.ts"
export { erc20Abi } from "./abi/erc20.ts"
export { multicall3Abi } from "./abi/multicall3.ts"
export { accountImplementations } from "./accounts/accountImplementations.ts"
export * as EvmAccountAddresses from "./accounts/EvmAccountAddresses.ts"
export * as EvmAccountInspector from "./accounts/EvmAccountInspector.ts"
export * as EvmAccountOperations from "./accounts/EvmAccountOperations.ts"
export { withCanonicalV } from "./accounts/signature.ts"
export { hasValidChecksum } from "./addressText.ts"
export * as BundlerGasPrices from "./BundlerGasPrices.ts"
export * as NodeBundler from "./bundler/NodeBundler.ts"
export * as RpcBundler from "./bundler/RpcBundler.ts"
export * as SelfBundler from "./bundler/SelfBundler.ts"
export { eventsOf } from "./bundler/simulation/CallFrame.ts"
export { rpcMethodOf, type SimulationMethod, simulationMethods } from "./bundler/simulation/SupportedMethods.ts"
export type { EntryPointSimulations } from "./bundler/simulation/simulationRequest.ts"
export { USER_OPERATION_EVENT } from "./bundler/simulation/simulationTrace.ts"
export { DEPOSIT, TRANSFER, transferInLog, WITHDRAWAL } from "./bundler/simulation/transfers.ts"
export { decodedCall } from "./calls/decodedCall.ts"
export { contractName } from "./contractNames.ts"
export { DELEGATION_PREFIX } from "./delegation.ts"
export { encoderOf } from "./encoderOf.ts"
export { suggestedFees } from "./gasPrice.ts"
export { addressFromHex, bytesFromHex, hash32FromHex } from "./hex.ts"
export {
  ARB_SYS,
  aggregateData,
  aggregateResponses,
  aggregateValueData,
  type ReadCall,
  readsOfBlock,
  type ValueCall
} from "./multicall.ts"
export { type NativeTransfers, nativeTransfersTo } from "./nativeTransfers.ts"
export {
  keyToAddress,
  type OperatorAddresses,
  type OperatorKeys,
  operatorAddresses,
  operatorKeyProblem
} from "./operator/operatorKeys.ts"
export * as Erc7677Paymaster from "./paymaster/Erc7677Paymaster.ts"
export type { SelfPaymasterOptions } from "./paymaster/SelfPaymaster.ts"
export * as SelfPaymaster from "./paymaster/SelfPaymaster.ts"
export { layer as RpcClientsLayer, RpcClients, rpcNodeOf } from "./RpcClients.ts"
export { revertReason } from "./revertReason.ts"
export { ChainHead } from "./rpc/ChainHead.ts"
export { JsonRpcHost } from "./rpc/host/JsonRpcHost.ts"
export { isMethodNotServed, JsonRpcError, jsonRpcErrorIn, revertDataIn } from "./rpc/JsonRpcError.ts"
export type { LatestBlock } from "./rpc/latestBlocks.ts"
export type {
  BlockResponse,
  CallFrame,
  FlatTrace,
  LogResponse,
  ReceiptResponse,
  TracedTransaction
} from "./rpc/nodeResponses.ts"
export { type HostHealth, type HostState, RpcHealth } from "./rpc/RpcHealth.ts"
export { systemTime } from "./rpc/RpcTime.ts"
export type { RpcLimits, RpcOptions } from "./rpc/rpcConnections.ts"
export { toUpstreamUnavailable } from "./rpc/unavailable.ts"
export { requestFromEach } from "./rpc/Witnesses.ts"
export * as ViemChainReader from "./ViemChainReader.ts"
export { wordAt } from "./words.ts"
export { wrapCall, wrappedNativeData } from "./wrappedNative.ts"
