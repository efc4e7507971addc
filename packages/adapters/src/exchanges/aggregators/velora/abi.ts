import { parseAbi } from "viem"

/** Augustus 6.2, from the verified source. The service requests only this function from the API. */
export const augustusAbi = parseAbi([
  "struct GenericData { address srcToken; address destToken; uint256 fromAmount; uint256 toAmount; uint256 quotedAmount; bytes32 metadata; address beneficiary; }",
  "function swapExactAmountIn(address executor, GenericData swapData, uint256 partnerAndFee, bytes permit, bytes executorData) payable returns (uint256 receivedAmount, uint256 paraswapShare, uint256 partnerShare)"
])
