import { chainOf } from "@countersign/core/chains"
import { UpstreamUnavailable } from "@countersign/core/errors"
import type { HexBytes } from "@countersign/core/primitives"
import { OperationRejected, type UserOperation } from "@countersign/core/user-operations"
import { encodeFunctionData, type Hex, numberToHex, type PublicClient, type SignedAuthorizationList } from "viem"
import { entryPointAbi } from "../abi/entryPoint.ts"
import { parseEcdsaSignature } from "../accounts/signature.ts"
import { delegateOf, delegationDesignator } from "../delegation.ts"
import { suggestedFees } from "../gasPrice.ts"
import { bytesFromHex, hex } from "../hex.ts"
import { revertReason } from "../revertReason.ts"
import { jsonRpcErrorIn, revertDataOf } from "../rpc/JsonRpcError.ts"
import type { OperatorAccount } from "./OperatorAccount.ts"
import { handleOpsData } from "./simulation/gasLimits.ts"

/** Gas of `handleOps` around the operation's own limits. */
const HANDLE_OPS_OVERHEAD = 60_000n

/** Each nested call keeps back a 64th of the gas, and `innerHandleOp` refuses to start with less than its limits. */
const transactionGas = (operation: UserOperation): bigint => {
  const { verificationGasLimit, callGasLimit, preVerificationGas, paymaster } = operation
  const limits =
    verificationGasLimit +
    callGasLimit +
    (paymaster === null ? 0n : paymaster.verificationGasLimit + paymaster.postOpGasLimit)
  return preVerificationGas + (limits * 64n) / 63n + HANDLE_OPS_OVERHEAD
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)

const rejectionOf = (reason: string): OperationRejected => new OperationRejected({ reason })

/** PENDING counts what waits in the node's pool. Some nodes know no such state and answer for the latest block. */
type AsOf = "pending" | "latest"

/** What stands against sending, found out without gas: null, or the reason in the EntryPoint's words. */
const refusalOf = async (
  client: PublicClient,
  operator: Hex,
  operation: UserOperation,
  data: Hex,
  asOf: AsOf
): Promise<string | null> => {
  const overrides =
    operation.authorization !== null
      ? [{ [operation.sender]: { code: delegationDesignator(operation.authorization.address) } }]
      : []
  const call = { from: operator, to: hex(operation.entryPoint), data, gas: numberToHex(transactionGas(operation)) }
  try {
    // viem's types know no state override in the raw request.
    const params = [call, asOf, ...overrides] as unknown as [typeof call, AsOf]
    await client.request({ method: "eth_call", params })
    return null
  } catch (thrown) {
    const error = jsonRpcErrorIn(thrown)
    const revert = error === null ? null : revertDataOf(error)
    if (revert === null) throw thrown
    return revertReason(bytesFromHex(revert)).decoded
  }
}

/**
 * Whether the operation is in a block or in the node's pool. Its nonce tells, because the key is random and no other
 * operation has it; the error does not, because an operation that deploys meets its own account before its own nonce.
 */
const isUnderway = async (client: PublicClient, { entryPoint, nonce, sender }: UserOperation): Promise<boolean> => {
  const args = [hex(sender), nonce >> 64n] as const
  const data = encodeFunctionData({ abi: entryPointAbi, functionName: "getNonce", args })
  const next = await client.request({ method: "eth_call", params: [{ to: hex(entryPoint), data }, "pending"] })
  return BigInt(next) > nonce
}

interface DelegationState {
  readonly current: boolean
  readonly nonce: number
}

const delegationState = async (client: PublicClient, operation: UserOperation): Promise<DelegationState | null> => {
  const { authorization } = operation
  if (authorization === null) return null
  const address = hex(operation.sender)
  const [code, nonce] = await Promise.all([
    client.request({ method: "eth_getCode", params: [address, "latest"] }),
    client.request({ method: "eth_getTransactionCount", params: [address, "latest"] })
  ])
  return { current: delegateOf(code) === authorization.address, nonce: Number(nonce) }
}

const signedAuthorizations = (operation: UserOperation, signature: HexBytes | null): SignedAuthorizationList => {
  const { authorization } = operation
  if (authorization === null) return []
  const parsedSignature = signature === null ? null : parseEcdsaSignature(signature)
  if (parsedSignature === null) throw rejectionOf("the EIP-7702 authorization is not signed")
  return [
    {
      chainId: authorization.chainId,
      address: hex(authorization.address),
      nonce: authorization.nonce,
      r: numberToHex(parsedSignature.r, { size: 32 }),
      s: numberToHex(parsedSignature.s, { size: 32 }),
      yParity: parsedSignature.yParity
    }
  ]
}

export interface Submitter {
  readonly client: PublicClient
  readonly operator: OperatorAccount
}

/**
 * Sends an operation in a bundle of its own. The transaction's hash, or null where there is nothing to send: the operation
 * is in a block or in the pool already, or what stands against it is in the pool alone and may never come to be.
 * Throws OperationRejected where it would revert, UpstreamUnavailable where waiting can help.
 */
export const submitOperation = async (
  { client, operator }: Submitter,
  operation: UserOperation,
  signature: HexBytes,
  authorizationSignature: HexBytes | null
): Promise<Hex | null> => {
  const data = handleOpsData(operation, signature, operator.address)
  const [fees, delegation, sighting, refusal] = await Promise.all([
    suggestedFees(client),
    delegationState(client, operation),
    operator.sighting(operation.chainId, client),
    // As of the pool: a duplicate of a transaction that waits there would only burn gas.
    refusalOf(client, operator.address, operation, data, "pending")
  ])
  if (refusal !== null) {
    const [underway, refusalNow] = await Promise.all([
      isUnderway(client, operation),
      refusalOf(client, operator.address, operation, data, "latest")
    ])
    if (underway || refusalNow === null) return null
    throw rejectionOf(refusalNow)
  }
  const delegates = delegation !== null && !delegation.current
  if (delegates && delegation.nonce !== operation.authorization?.nonce) {
    throw rejectionOf(
      `the EIP-7702 authorization is for nonce ${operation.authorization?.nonce}, the account is at ${delegation.nonce}`
    )
  }
  if (operation.maxFeePerGas < fees.baseFeePerGas) {
    throw new UpstreamUnavailable({
      upstream: `Bundler of ${chainOf(operation.chainId).name}`,
      reason: `the operation offers ${operation.maxFeePerGas} wei for gas and the base fee is ${fees.baseFeePerGas}`
    })
  }
  // What the operation pays, but never so little that a rising base fee would hold up the operator's next nonces.
  const maxFeePerGas = max(operation.maxFeePerGas, fees.maxFeePerGas)
  return operator.send(operation.chainId, client, {
    to: hex(operation.entryPoint),
    data,
    gas: transactionGas(operation),
    maxFeePerGas,
    maxPriorityFeePerGas: min(operation.maxPriorityFeePerGas, maxFeePerGas),
    sighting,
    authorizationList: delegates ? signedAuthorizations(operation, authorizationSignature) : []
  })
}
