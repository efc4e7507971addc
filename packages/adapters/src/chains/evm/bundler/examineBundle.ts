import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import type { Address } from "@countersign/core/foundation/primitives"
import type { PublicClient } from "viem"
import { type SuggestedFees, suggestedFees } from "../gasPrice.ts"
import { rpcNodeOf } from "../RpcClients.ts"
import { isTooExpensive, toUpstreamUnavailable } from "../rpc/unavailable.ts"
import { type BundleVerdict, bundleVerdict } from "./bundleVerdict.ts"
import { type DelegationState, delegationState } from "./delegation.ts"
import { handleOpsCall } from "./handleOpsCall.ts"
import type { Submission } from "./Submission.ts"
import type { BundleTrace, TraceBundle } from "./traceBundle.ts"

interface UntracedVerdict {
  readonly _tag: "NotTraced"
  readonly error: UpstreamUnavailable
  /** Whether the bundle is too expensive to trace because of the operations' calls. */
  readonly isTooExpensive: boolean
}

/** The data that are read before a bundle is sent. */
export interface BundleExamination {
  readonly fees: SuggestedFees
  /** The operator's transaction count, including pending transactions in the node's mempool. */
  readonly pendingCount: number
  readonly delegations: ReadonlyArray<DelegationState | null>
  /** The verdict of the trace, or the reason why there is none. */
  readonly verdict: BundleVerdict | UntracedVerdict
  readonly tracedAsOf: BundleTrace["asOf"]
}

/**
 * Reads all data concurrently. The trace does not depend on current gas prices, because the operations contain their
 * own.
 */
export const examineBundle = async (
  client: PublicClient,
  trace: TraceBundle,
  operator: Address,
  bundle: ReadonlyArray<Submission>
): Promise<BundleExamination> => {
  const { chainId, entryPoint } = bundle[0]!.operation
  const traceResult = trace(operator, bundle, handleOpsCall(bundle, operator)).then(
    ({ asOf, frame }) => ({ tracedAsOf: asOf, verdict: bundleVerdict(frame, entryPoint, bundle.length) }),
    (thrown: unknown) => {
      const error = toUpstreamUnavailable(rpcNodeOf(chainId), thrown)
      const verdict = { _tag: "NotTraced", error, isTooExpensive: isTooExpensive(thrown) } as const
      return { tracedAsOf: "pending" as const, verdict }
    }
  )
  const [fees, pendingCount, delegations, traced] = await Promise.all([
    suggestedFees(client),
    client.getTransactionCount({ address: operator, blockTag: "pending" }),
    Promise.all(bundle.map(({ operation }) => delegationState(client, operation))),
    traceResult
  ])
  return { fees, pendingCount, delegations, ...traced }
}
