import { parseAbi } from "viem"

/** Functions of a SpokePool that the relayer calls as administrator and to execute refunds. */
export const refundAbi = parseAbi([
  "struct RelayerRefundLeaf { uint256 amountToReturn; uint256 chainId; uint256[] refundAmounts; uint32 leafId; address l2TokenAddress; address[] refundAddresses; }",
  "function relayRootBundle(bytes32 relayerRefundRoot, bytes32 slowRelayRoot)",
  "function executeRelayerRefundLeaf(uint32 rootBundleId, RelayerRefundLeaf leaf, bytes32[] proof) payable",
  "event RelayedRootBundle(uint32 indexed rootBundleId, bytes32 indexed relayerRefundRoot, bytes32 indexed slowRelayRoot)"
])
