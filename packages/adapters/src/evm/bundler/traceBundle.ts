import type { EvmChainId } from "@countersign/core/chains"
import type { Address } from "@countersign/core/primitives"
import { numberToHex } from "viem"
import { delegationDesignator } from "../delegation.ts"
import type { RpcClients } from "../RpcClients.ts"
import { jsonRpcErrorIn } from "../rpc/JsonRpcError.ts"
import type { HandleOpsCall } from "./handleOpsCall.ts"
import type { Submission } from "./Submission.ts"
import type { CallFrame } from "./simulation/CallFrame.ts"

/** PENDING counts what waits in the node's pool. Some nodes know no such state, geth has none to trace on. */
type AsOf = "pending" | "latest"

export interface BundleTrace {
  readonly frame: CallFrame
  readonly asOf: AsOf
}

/** As geth says it, which the chains that are made of it repeat. */
const NO_PENDING = /pending is not supported|pending block is not available/iu

/**
 * Runs `handleOps` as the operator would send it, gas prices and all: contracts see the same `tx.origin`, `tx.gasprice`
 * and `block.basefee` as they will in the block.
 */
export const bundleTracer = (rpc: RpcClients["Service"]) => {
  const withoutPending = new Set<EvmChainId>()

  const traceAsOf = async (
    operator: Address,
    bundle: ReadonlyArray<Submission>,
    call: HandleOpsCall,
    asOf: AsOf
  ): Promise<BundleTrace> => {
    const { chainId } = bundle[0]!.operation
    const delegated = bundle.flatMap(({ operation: { authorization, sender } }) =>
      authorization === null ? [] : [[sender, { code: delegationDesignator(authorization.address) }] as const]
    )
    const transaction = {
      from: operator,
      to: call.to,
      data: call.data,
      gas: numberToHex(call.gas),
      maxFeePerGas: numberToHex(call.maxFeePerGas),
      maxPriorityFeePerGas: numberToHex(call.maxPriorityFeePerGas)
    }
    const options = { tracer: "callTracer", stateOverrides: Object.fromEntries(delegated) }
    const frame = await rpc.request(chainId, "debug_traceCall", [transaction, asOf, options])
    return { frame, asOf }
  }

  return async (
    operator: Address,
    bundle: ReadonlyArray<Submission>,
    call: HandleOpsCall,
    asOf: AsOf = "pending"
  ): Promise<BundleTrace> => {
    const { chainId } = bundle[0]!.operation
    const known = withoutPending.has(chainId) ? "latest" : asOf
    try {
      return await traceAsOf(operator, bundle, call, known)
    } catch (thrown) {
      if (known === "latest" || !NO_PENDING.test(jsonRpcErrorIn(thrown)?.shortMessage ?? "")) throw thrown
      withoutPending.add(chainId)
      return traceAsOf(operator, bundle, call, "latest")
    }
  }
}

export type TraceBundle = ReturnType<typeof bundleTracer>
