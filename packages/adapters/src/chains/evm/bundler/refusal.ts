import type { Address } from "@countersign/core/foundation/primitives"
import { OperationRejected, type UserOperation } from "@countersign/core/operations/user-operations"
import type { PublicClient } from "viem"
import { nextNonceData } from "../user-operation/nextNonceData.ts"
import { bundleVerdict } from "./bundleVerdict.ts"
import { handleOpsCall } from "./handleOpsCall.ts"
import type { Submission } from "./Submission.ts"
import type { BundleTrace, TraceBundle } from "./traceBundle.ts"

/**
 * Whether the operation has the next nonce of its key: the operation is neither included nor in the node's mempool, and
 * its predecessor is included. The nonce is reliable, because only this quote uses the random key. The trace's error is
 * not reliable: for an operation that deploys its account, the deployment fails before the nonce is checked.
 */
const isNextNonce = async (client: PublicClient, { entryPoint, nonce, sender }: UserOperation): Promise<boolean> => {
  const data = nextNonceData(sender, nonce)
  const nextNonce = await client.request({ method: "eth_call", params: [{ to: entryPoint, data }, "pending"] })
  return BigInt(nextNonce) === nonce
}

/**
 * Traces the operation in a bundle of its own on the latest state, unless the first trace used that state. Returns a
 * rejection if it still reverts. Null if it no longer reverts, is already pending, waits for its predecessor, or
 * conflicts with a mempool transaction that may never be included.
 */
export const refusalOf = async (
  client: PublicClient,
  trace: TraceBundle,
  operator: Address,
  submission: Submission,
  reason: string,
  tracedAsOf: BundleTrace["asOf"]
): Promise<OperationRejected | null> => {
  const ownBundle = [submission]
  const { entryPoint } = submission.operation
  const readCurrentReason = async (): Promise<string | null> => {
    if (tracedAsOf === "latest") return reason
    const { frame } = await trace(operator, ownBundle, handleOpsCall(ownBundle, operator), "latest")
    const verdict = bundleVerdict(frame, entryPoint, 1)
    return verdict._tag === "Fails" || verdict._tag === "FailsWhole" ? verdict.reason : null
  }
  const [hasNextNonce, currentReason] = await Promise.all([
    isNextNonce(client, submission.operation),
    readCurrentReason()
  ])
  return !hasNextNonce || currentReason === null ? null : new OperationRejected({ reason: currentReason })
}
