import type { EvmChainId } from "@countersign/core/foundation/chains"
import { BoundedMap } from "@countersign/core/foundation/primitives"
import { HostFailure } from "../../outbound/json-api/index.ts"
import { type BlockResponse, isMethodNotServed, JsonRpcError, type RpcClients } from "../evm/index.ts"
import {
  type MovedNativeToken,
  nativeTransfersInFlatTraces,
  nativeTransfersInTraces,
  nativeTransfersInTransactions,
  untracedHashes
} from "./nativeTransfersInBlocks.ts"

/** The RPC method with which a node traces the transactions of a block: geth's, OpenEthereum's, or none. */
type TraceMethod = "debug_traceBlockByNumber" | "trace_block" | "NONE"

/** Interval in milliseconds after which a chain without trace support is tried again. */
const RETRY_AFTER_MS = 600_000
/** Maximum number of failed attempts to trace a block. */
const ATTEMPTS = 3
/** After this number of given-up blocks without any trace, the nodes count as nodes without trace support. */
const GIVEN_UP_BLOCKS_MAX = 20
/** Maximum number of blocks whose failed attempts are counted. */
const COUNTED_BLOCKS_MAX = 1_000

interface CachedTraceMethod {
  readonly method: TraceMethod
  readonly until: number
  /** Whether the method has returned a trace. */
  readonly isProven: boolean
}

const initialMethod: CachedTraceMethod = {
  method: "debug_traceBlockByNumber",
  until: Number.POSITIVE_INFINITY,
  isProven: false
}

const nextMethod = (method: TraceMethod): TraceMethod =>
  method === "debug_traceBlockByNumber" ? "trace_block" : "NONE"

export interface BlockNativeTransfers {
  readonly transfers: ReadonlyArray<MovedNativeToken>
  /** Whether transfers inside the contract calls of all transactions were visible. */
  readonly isTraced: boolean
}

/**
 * Reads the native token transfers in blocks with the best trace method that a chain's nodes support. The method is
 * changed if the nodes do not support it, or repeatedly do not respond. If the nodes support none, it is detected again
 * after `RETRY_AFTER_MS`. If the nodes repeatedly return other errors for a block, only this block is read without a
 * trace. After `GIVEN_UP_BLOCKS_MAX` such blocks without any trace, the nodes count as nodes without trace support.
 */
export const blockTracer = (rpc: RpcClients["Service"], now: () => number) => {
  const methodByChain = new Map<EvmChainId, CachedTraceMethod>()
  /** Number of failed attempts by block hash. Concurrent failures of several blocks count separately. */
  const failedAttempts = new BoundedMap<string, number>(COUNTED_BLOCKS_MAX)
  /** Number of blocks given up since the chain's last trace. Until the next trace, other blocks are tried only once. */
  const givenUpCounts = new Map<EvmChainId, number>()

  const traceMethodOf = (chainId: EvmChainId): CachedTraceMethod => {
    const knownMethod = methodByChain.get(chainId) ?? initialMethod
    return knownMethod.until > now() ? knownMethod : initialMethod
  }

  const setTraceMethod = (chainId: EvmChainId, method: TraceMethod, isProven: boolean): void => {
    methodByChain.set(chainId, {
      method,
      until: method === "NONE" ? now() + RETRY_AFTER_MS : Number.POSITIVE_INFINITY,
      isProven
    })
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

  const traceTransfers = async (
    chainId: EvmChainId,
    block: BlockResponse,
    method: TraceMethod
  ): Promise<BlockNativeTransfers> => {
    if (method !== "debug_traceBlockByNumber") {
      const flatTraces = await rpc.request(chainId, "trace_block", [block.number!])
      return { transfers: nativeTransfersInFlatTraces(block, flatTraces), isTraced: true }
    }
    const traces = await rpc.request(chainId, method, [block.number!, { tracer: "callTracer" }])
    const transfers = nativeTransfersInTraces(block, traces)
    const missingHashes = untracedHashes(block, traces)
    if (missingHashes.size === 0) return { transfers, isTraced: true }
    const untraced = await readUntracedTransfers(chainId, block)
    const missingTransfers = untraced.transfers.filter(({ transactionHash }) => missingHashes.has(transactionHash))
    return { transfers: [...transfers, ...missingTransfers], isTraced: false }
  }

  const readTracedTransfers = async (
    chainId: EvmChainId,
    block: BlockResponse,
    method: TraceMethod
  ): Promise<BlockNativeTransfers> => {
    const transfers = await traceTransfers(chainId, block, method)
    setTraceMethod(chainId, method, true)
    givenUpCounts.delete(chainId)
    failedAttempts.delete(block.hash!)
    return transfers
  }

  /** Counts a failed attempt. Returns whether it was the last one. */
  const countFailedAttempt = (chainId: EvmChainId, { hash }: BlockResponse, isJsonRpcError: boolean): boolean => {
    const attempts = (failedAttempts.get(hash!) ?? 0) + 1
    failedAttempts.set(hash!, attempts)
    return attempts >= ATTEMPTS || (isJsonRpcError && givenUpCounts.has(chainId))
  }

  /** Reads a block whose trace fails, for example because the nodes no longer have the state of an old block. */
  const readGivenUpBlock = async (
    chainId: EvmChainId,
    block: BlockResponse,
    { isProven, method }: CachedTraceMethod
  ): Promise<BlockNativeTransfers> => {
    const count = (givenUpCounts.get(chainId) ?? 0) + 1
    givenUpCounts.set(chainId, count)
    const readUntraced = () => {
      // The nodes have returned only errors for many blocks, so they probably support no trace method.
      if (!isProven && count >= GIVEN_UP_BLOCKS_MAX) {
        setTraceMethod(chainId, "NONE", false)
        givenUpCounts.delete(chainId)
      }
      return readUntracedTransfers(chainId, block)
    }
    const otherMethod = isProven ? "NONE" : nextMethod(method)
    return otherMethod === "NONE"
      ? readUntraced()
      : readTracedTransfers(chainId, block, otherMethod).catch(readUntraced)
  }

  const nativeTransfersOf = async (chainId: EvmChainId, block: BlockResponse): Promise<BlockNativeTransfers> => {
    if (block.transactions.length === 0) return { transfers: [], isTraced: traceMethodOf(chainId).method !== "NONE" }
    for (;;) {
      const cachedMethod = traceMethodOf(chainId)
      if (cachedMethod.method === "NONE") return readUntracedTransfers(chainId, block)
      try {
        return await readTracedTransfers(chainId, block, cachedMethod.method)
      } catch (thrown) {
        const isJsonRpcError = thrown instanceof JsonRpcError
        if (!isJsonRpcError && !(thrown instanceof HostFailure)) throw thrown
        // Only the trace of this block is too large. The node may be able to trace the next block.
        if (!isJsonRpcError && thrown.kind === "TOO_HEAVY") return readUntracedTransfers(chainId, block)
        if (!isMethodNotServed(thrown)) {
          if (!countFailedAttempt(chainId, block, isJsonRpcError)) throw thrown
          if (isJsonRpcError) return readGivenUpBlock(chainId, block, cachedMethod)
        }
        failedAttempts.delete(block.hash!)
        // Only the first of several concurrent requests changes the detected method.
        if (traceMethodOf(chainId).method === cachedMethod.method)
          setTraceMethod(chainId, nextMethod(cachedMethod.method), false)
      }
    }
  }

  return {
    /** Whether the transactions of a block must be read, because the nodes support no trace method. */
    needsTransactions: (chainId: EvmChainId): boolean => traceMethodOf(chainId).method === "NONE",
    nativeTransfersOf
  }
}
