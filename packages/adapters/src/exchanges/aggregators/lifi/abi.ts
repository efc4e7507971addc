import { parseAbi } from "viem"

const structs = [
  "struct SwapData { address callTo; address approveTo; address sendingAssetId; address receivingAssetId; uint256 fromAmount; bytes callData; bool requiresDeposit; }",
  "struct BridgeData { bytes32 transactionId; string bridge; string integrator; address referrer; address sendingAssetId; address receiver; uint256 minAmount; uint256 destinationChainId; bool hasSourceSwaps; bool hasDestinationCall; }",
  "struct ChainflipData { bytes nonEVMReceiver; uint32 dstToken; address dstCallReceiver; SwapData[] dstCallSwapData; uint256 gasAmount; bytes cfParameters; }",
  "struct AcrossV4Data { bytes32 receiverAddress; bytes32 refundAddress; bytes32 sendingAssetId; bytes32 receivingAssetId; uint256 outputAmount; uint128 outputAmountMultiplier; bytes32 exclusiveRelayer; uint32 quoteTimestamp; uint32 fillDeadline; uint32 exclusivityParameter; bytes message; }"
] as const

/** GenericSwapFacetV3 (lifinance/contracts): same-chain swaps. */
export const genericSwapAbi = parseAbi([
  ...structs,
  "function swapTokensSingleV3ERC20ToERC20(bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmountOut, SwapData swapData)",
  "function swapTokensSingleV3ERC20ToNative(bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmountOut, SwapData swapData)",
  "function swapTokensSingleV3NativeToERC20(bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmountOut, SwapData swapData) payable",
  "function swapTokensMultipleV3ERC20ToERC20(bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmountOut, SwapData[] swapData)",
  "function swapTokensMultipleV3ERC20ToNative(bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmountOut, SwapData[] swapData)",
  "function swapTokensMultipleV3NativeToERC20(bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmountOut, SwapData[] swapData) payable"
])

/** AcrossFacetV4: transfers by Across. The calldata contain the minimum output on the destination chain. */
export const acrossFacetAbi = parseAbi([
  ...structs,
  "function startBridgeTokensViaAcrossV4(BridgeData bridgeData, AcrossV4Data acrossData) payable",
  "function swapAndStartBridgeTokensViaAcrossV4(BridgeData bridgeData, SwapData[] swapData, AcrossV4Data acrossData) payable"
])

/** ChainflipFacet: transfers to Bitcoin by Chainflip. The calldata contain the receiver. */
export const chainflipFacetAbi = parseAbi([
  ...structs,
  "function startBridgeTokensViaChainflip(BridgeData bridgeData, ChainflipData chainflipData) payable"
])

/** The function with which a swap step pays LI.FI's fees. */
export const feeAbi = parseAbi([
  "struct FeeDistribution { address recipient; uint256 amount; }",
  "function collectTokenFees(address tokenAddress, uint256 integratorFee, uint256 lifiFee, address integratorAddress)",
  "function collectNativeFees(uint256 integratorFee, uint256 lifiFee, address integratorAddress) payable",
  "function forwardERC20Fees(address token, FeeDistribution[] distributions)",
  "function forwardNativeFees(FeeDistribution[] distributions) payable"
])
