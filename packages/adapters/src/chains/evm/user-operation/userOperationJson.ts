import type { HexBytes } from "@countersign/core/foundation/primitives"
import type { UserOperation } from "@countersign/core/operations/user-operations"
import { numberToHex, type RpcAuthorization } from "viem"
import { formatUserOperationRequest, type RpcUserOperation } from "viem/account-abstraction"
import { viemUserOperation } from "./viemUserOperation.ts"

/** A signed EIP-7702 tuple in ERC-7769's format. */
export type Eip7702AuthJson = RpcAuthorization

/** A user operation of EntryPoint 0.7 or 0.8 in ERC-7769's format. */
export type UserOperationJson = RpcUserOperation<"0.8">

export const userOperationJson = (
  operation: UserOperation,
  signature: HexBytes,
  authorizationSignature: HexBytes | null
): UserOperationJson => {
  const viemOperation = viemUserOperation(operation, signature, authorizationSignature)
  const json = formatUserOperationRequest(viemOperation)
  if (viemOperation.authorization === undefined || json.eip7702Auth === undefined) return json
  // viem writes 0x01, but a JSON-RPC quantity must not have leading zeros.
  const yParity = numberToHex(viemOperation.authorization.yParity ?? 0)
  return { ...json, eip7702Auth: { ...json.eip7702Auth, yParity } }
}
