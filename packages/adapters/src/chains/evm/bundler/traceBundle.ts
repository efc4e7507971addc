import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { numberToHex } from "viem"
import { delegationDesignator } from "../delegation.ts"
import type { RpcClients } from "../RpcClients.ts"
import { jsonRpcErrorIn } from "../rpc/JsonRpcError.ts"
import type { HandleOpsCall } from "./handleOpsCall.ts"
import type { Submission } from "./Submission.ts"
import type { CallFrame } from "./simulation/CallFrame.ts"
import { innerFramesOf } from "./simulation/eventedOperations.ts"
import type { SupportedMethods } from "./simulation/SupportedMethods.ts"
import { frameOf, simulateCalls } from "./simulation/simulatedCalls.ts"

/**
 * State of the simulation. `pending` includes the node's mempool. Some nodes do not support it, and geth can't trace on
 * it.
 */
type AsOf = "pending" | "latest"

export interface BundleTrace {
  readonly frame: CallFrame
  readonly asOf: AsOf
}

/** Geth's error message, which forks of geth share. */
const NO_PENDING = /pending is not supported|pending block is not available/iu

const delegationsOf = (bundle: ReadonlyArray<Submission>) =>
  Object.fromEntries(
    bundle.flatMap(({ operation: { authorization, sender } }) =>
      authorization === null ? [] : [[sender, { code: delegationDesignator(authorization.address) }] as const]
    )
  )

const transactionOf = (operator: Address, { data, gas, maxFeePerGas, maxPriorityFeePerGas, to }: HandleOpsCall) => ({
  from: operator,
  to,
  data,
  gas: numberToHex(gas),
  maxFeePerGas: numberToHex(maxFeePerGas),
  maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas)
})

/**
 * Simulates `handleOps` as the operator would send it, including gas prices, so that contracts read the same
 * `tx.origin`, `tx.gasprice` and `block.basefee` as in the block.
 */
export const bundleTracer = (rpc: RpcClients["Service"], supportedMethods: SupportedMethods) => {
  const chainsWithoutPending = new Set<EvmChainId>()

  const traceAsOf = async (
    operator: Address,
    bundle: ReadonlyArray<Submission>,
    call: HandleOpsCall,
    asOf: AsOf
  ): Promise<BundleTrace> => {
    const { chainId } = bundle[0]!.operation
    const options = { tracer: "callTracer", stateOverrides: delegationsOf(bundle) }
    const frame = await rpc.request(chainId, "debug_traceCall", [transactionOf(operator, call), asOf, options])
    return { frame, asOf }
  }

  const trace = async (
    operator: Address,
    bundle: ReadonlyArray<Submission>,
    call: HandleOpsCall,
    asOf: AsOf
  ): Promise<BundleTrace> => {
    const { chainId } = bundle[0]!.operation
    const supportedTag = chainsWithoutPending.has(chainId) ? "latest" : asOf
    try {
      return await traceAsOf(operator, bundle, call, supportedTag)
    } catch (thrown) {
      if (supportedTag === "latest" || !NO_PENDING.test(jsonRpcErrorIn(thrown)?.shortMessage ?? "")) throw thrown
      chainsWithoutPending.add(chainId)
      return traceAsOf(operator, bundle, call, "latest")
    }
  }

  /**
   * Simulates the bundle and reads its logs. Does not use the mempool, because nodes differ in what the next block
   * contains.
   */
  const simulate = async (
    operator: Address,
    bundle: ReadonlyArray<Submission>,
    call: HandleOpsCall
  ): Promise<BundleTrace> => {
    const { chainId, entryPoint } = bundle[0]!.operation
    const calls = [transactionOf(operator, call)]
    const [simulatedCall] = await simulateCalls(rpc, chainId, {
      calls,
      overrides: delegationsOf(bundle),
      isPriced: true
    })
    const frame = frameOf(simulatedCall!, entryPoint, operator)
    return { frame: { ...frame, calls: innerFramesOf(simulatedCall!.logs, entryPoint) }, asOf: "latest" }
  }

  return (
    operator: Address,
    bundle: ReadonlyArray<Submission>,
    call: HandleOpsCall,
    asOf: AsOf = "pending"
  ): Promise<BundleTrace> =>
    supportedMethods.callFirstSupported(bundle[0]!.operation.chainId, {
      TRACE: () => trace(operator, bundle, call, asOf),
      SIMULATE: () => simulate(operator, bundle, call)
    })
}

export type TraceBundle = ReturnType<typeof bundleTracer>
