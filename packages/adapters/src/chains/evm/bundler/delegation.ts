import type { HexBytes } from "@countersign/core/foundation/primitives"
import { OperationRejected, type UserOperation } from "@countersign/core/operations/user-operations"
import { numberToHex, type PublicClient, type SignedAuthorization } from "viem"
import { parseEcdsaSignature } from "../accounts/signature.ts"
import { delegateOf } from "../delegation.ts"

/**
 * Whether an account already delegates to the address in an operation's EIP-7702 tuple, and the account's own nonce.
 */
export interface DelegationState {
  readonly isCurrent: boolean
  readonly nonce: number
}

/** Reads the delegation of an account; null if the operation contains no EIP-7702 tuple. */
export const delegationState = async (
  client: PublicClient,
  { authorization, sender }: UserOperation
): Promise<DelegationState | null> => {
  if (authorization === null) return null
  const [code, nonce] = await Promise.all([
    client.request({ method: "eth_getCode", params: [sender, "latest"] }),
    client.request({ method: "eth_getTransactionCount", params: [sender, "latest"] })
  ])
  return { isCurrent: delegateOf(code) === authorization.address, nonce: Number(nonce) }
}

/**
 * Returns why a tuple is stale. Null if it is valid, or not needed because the account already delegates to its
 * address. An operation with a stale tuple would revert.
 */
export const staleDelegation = (
  { authorization }: UserOperation,
  delegation: DelegationState | null
): OperationRejected | null =>
  authorization === null || delegation === null || delegation.isCurrent || delegation.nonce === authorization.nonce
    ? null
    : new OperationRejected({
        reason: `the EIP-7702 authorization is for nonce ${authorization.nonce}, but the account's nonce is ${delegation.nonce}`
      })

/**
 * Converts the signed tuple to the format of transactions. Null if the operation contains no tuple, or if its signature
 * is missing or invalid.
 */
export const signedAuthorization = (
  { authorization }: UserOperation,
  signature: HexBytes | null
): SignedAuthorization | null => {
  const parsedSignature = signature === null ? null : parseEcdsaSignature(signature)
  if (authorization === null || parsedSignature === null) return null
  return {
    chainId: authorization.chainId,
    address: authorization.address,
    nonce: authorization.nonce,
    r: numberToHex(parsedSignature.r, { size: 32 }),
    s: numberToHex(parsedSignature.s, { size: 32 }),
    yParity: parsedSignature.yParity
  }
}
