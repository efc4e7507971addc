import { parseAbi } from "viem"

/** The functions and events of GPv2Settlement that the service uses. */
export const settlementAbi = parseAbi([
  "function setPreSignature(bytes orderUid, bool signed)",
  "function invalidateOrder(bytes orderUid)",
  "function preSignature(bytes orderUid) view returns (uint256)",
  "function filledAmount(bytes orderUid) view returns (uint256)",
  "event Trade(address indexed owner, address sellToken, address buyToken, uint256 sellAmount, uint256 buyAmount, uint256 feeAmount, bytes orderUid)"
])
