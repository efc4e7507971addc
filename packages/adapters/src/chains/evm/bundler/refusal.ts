import type { Address } from "@countersign/core/foundation/primitives"
import { OperationRejected, type UserOperation } from "@countersign/core/operations/user-operations"
import type { PublicClient } from "viem"
import { nextNonceData } from "../user-operation/nextNonceData.ts"
import { bundleVerdict } from "./bundleVerdict.ts"
import { handleOpsCall } from "./handleOpsCall.ts"
import type { Submission } from "./Submission.ts"
import type { BundleTrace, TraceBundle } from "./traceBundle.ts"

/**
 * Whether it is the operation's turn: it is in no block and not in the node's pool, and what comes before it is. Its nonce
 * tells, because the key is random and only operations of its own quote have it; the error does not, because an operation
 * that deploys meets its own account before its own nonce.
 */
const isItsTurn = async (client: PublicClient, { entryPoint, nonce, sender }: UserOperation): Promise<boolean> => {
  const data = nextNonceData(sender, nonce)
  const next = await client.request({ method: "eth_call", params: [{ to: entryPoint, data }, "pending"] })
  return BigInt(next) === nonce
}

/**
 * What comes of an operation that would revert in a bundle of its own: its rejection, or null where there is nothing to
 * send, because it is under way already or waits for the operation before it, or because what stands against it is in the
 * pool alone and may never come to be.
 */
export const refusalOf = async (
  client: PublicClient,
  trace: TraceBundle,
  operator: Address,
  submission: Submission,
  reason: string,
  tracedAsOf: BundleTrace["asOf"]
): Promise<OperationRejected | null> => {
  const alone = [submission]
  const { entryPoint } = submission.operation
  const standsNow = async (): Promise<string | null> => {
    if (tracedAsOf === "latest") return reason
    const { frame } = await trace(operator, alone, handleOpsCall(alone, operator), "latest")
    const verdict = bundleVerdict(frame, entryPoint, 1)
    return verdict._tag === "Fails" || verdict._tag === "FailsWhole" ? verdict.reason : null
  }
  const [mayGo, reasonNow] = await Promise.all([isItsTurn(client, submission.operation), standsNow()])
  return !mayGo || reasonNow === null ? null : new OperationRejected({ reason: reasonNow })
}
