import type { EvmChainId } from "@countersign/core/foundation/chains"
import { HostFailure } from "../../outbound/json-api/index.ts"
import { type BlockResponse, JsonRpcError, type RpcClients } from "../evm/index.ts"
import {
  type MovedNativeToken,
  nativeTransfersInFlatTraces,
  nativeTransfersInTraces,
  nativeTransfersInTransactions
} from "./nativeTransfersInBlocks.ts"

/** The RPC method with which a node traces the transactions of a block: geth's, OpenEthereum's, or none. */
type TraceMethod = "debug_traceBlockByNumber" | "trace_block" | "NONE"

/** Interval in milliseconds after which a chain without trace support is tried again. */
const RETRY_AFTER_MS = 600_000
/** A trace method counts as unsupported after this number of consecutive failures, or after one JSON-RPC error. */
const FAILURES = 3

interface CachedTraceMethod {
  readonly method: TraceMethod
  readonly until: number
  readonly failures: number
}

const initialMethod: CachedTraceMethod = {
  method: "debug_traceBlockByNumber",
  until: Number.POSITIVE_INFINITY,
  failures: 0
}

const nextMethod = (method: TraceMethod): TraceMethod =>
  method === "debug_traceBlockByNumber" ? "trace_block" : "NONE"

export interface BlockNativeTransfers {
  readonly transfers: ReadonlyArray<MovedNativeToken>
  /** Whether transfers inside contract calls were visible. */
  readonly isTraced: boolean
}

/**
 * Reads the native token transfers in blocks with the best trace method that a chain's nodes support. The method is
 * used until it is rejected or fails repeatedly. If the nodes support none, it is detected again after
 * `RETRY_AFTER_MS`.
 */
export const blockTracer = (rpc: RpcClients["Service"], now: () => number) => {
  const methodByChain = new Map<EvmChainId, CachedTraceMethod>()

  const traceMethodOf = (chainId: EvmChainId): CachedTraceMethod => {
    const knownMethod = methodByChain.get(chainId) ?? initialMethod
    return knownMethod.until > now() ? knownMethod : initialMethod
  }

  const traceTransfers = async (chainId: EvmChainId, block: BlockResponse, method: TraceMethod) => {
    if (method === "debug_traceBlockByNumber") {
      const options = { tracer: "callTracer" } as const
      return nativeTransfersInTraces(block, await rpc.request(chainId, method, [block.number!, options]))
    }
    return nativeTransfersInFlatTraces(block, await rpc.request(chainId, "trace_block", [block.number!]))
  }

  const readUntracedTransfers = async (chainId: EvmChainId, block: BlockResponse): Promise<BlockNativeTransfers> => {
    const hasFullTransactions = block.transactions.every((each) => typeof each === "object")
    const fullBlock = hasFullTransactions
      ? block
      : await rpc.request(chainId, "eth_getBlockByNumber", [block.number!, true])
    if (fullBlock?.hash !== block.hash)
      throw new HostFailure(
        `it returned two different blocks with number ${Number(block.number)}, from two forks or two nodes`
      )
    return { transfers: nativeTransfersInTransactions(fullBlock), isTraced: false }
  }

  const nativeTransfersOf = async (chainId: EvmChainId, block: BlockResponse): Promise<BlockNativeTransfers> => {
    if (block.transactions.length === 0) return { transfers: [], isTraced: traceMethodOf(chainId).method !== "NONE" }
    for (;;) {
      const cachedMethod = traceMethodOf(chainId)
      if (cachedMethod.method === "NONE") return readUntracedTransfers(chainId, block)
      try {
        const transfers = await traceTransfers(chainId, block, cachedMethod.method)
        methodByChain.set(chainId, { ...cachedMethod, failures: 0 })
        return { transfers, isTraced: true }
      } catch (thrown) {
        const isRefusal = thrown instanceof JsonRpcError
        if (!isRefusal && !(thrown instanceof HostFailure)) throw thrown
        // Only the trace of this block is too large. The node may be able to trace the next block.
        if (!isRefusal && thrown.kind === "TOO_HEAVY") return readUntracedTransfers(chainId, block)
        const failures = cachedMethod.failures + 1
        const isMethodUnusable = isRefusal || failures >= FAILURES
        // Only the first of several concurrent requests changes the detected method.
        if (traceMethodOf(chainId).method === cachedMethod.method) {
          const method = isMethodUnusable ? nextMethod(cachedMethod.method) : cachedMethod.method
          const validUntilMs = method === "NONE" ? now() + RETRY_AFTER_MS : Number.POSITIVE_INFINITY
          methodByChain.set(chainId, { method, until: validUntilMs, failures: isMethodUnusable ? 0 : failures })
        }
        if (!isMethodUnusable) throw thrown
      }
    }
  }

  return {
    /** Whether the transactions of a block must be read, because the nodes support no trace method. */
    needsTransactions: (chainId: EvmChainId): boolean => traceMethodOf(chainId).method === "NONE",
    nativeTransfersOf
  }
}
