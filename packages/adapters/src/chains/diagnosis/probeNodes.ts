import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import { Effect } from "effect"
import { ChainHead, rpcMethodOf, type SimulationMethod, simulationMethods, systemTime } from "../evm/index.ts"
import { type HostProbe, type ProbeFailure, probeHost } from "./probeHost.ts"

/** The head of a chain, as a node reports it. */
export interface NodeHead {
  readonly blockNumber: number
  /** Block timestamp in Unix seconds. */
  readonly timestamp: number
  /**
   * Number of blocks by which the node is behind the chain's highest node. Zero for a node that failover does not treat
   * as lagging.
   */
  readonly blocksBehind: number
}

/** The first supported method with which a node simulates operations; NONE if it supports none. */
export type NodeSimulationMethod = SimulationMethod | "NONE"

/** The result of querying a node. `simulationMethod` is null if the caller did not request it. */
export type NodeProbe =
  | {
      readonly _tag: "Answered"
      readonly host: string
      readonly head: NodeHead
      readonly simulationMethod: NodeSimulationMethod | null
    }
  | { readonly _tag: "OtherChain"; readonly host: string; readonly chainId: number }
  | { readonly _tag: "Failed"; readonly host: string; readonly failure: ProbeFailure }

export interface NodeProbeOptions {
  readonly timeoutMs: number
  /** Maximum lag in blocks. A node with a larger lag is used last. */
  readonly maxLagBlocks: number
  /** Whether to detect the node's simulation method. */
  readonly detectsSimulationMethod: boolean
}

/** A response and the time when it arrived. */
interface NodeReport {
  readonly _tag: "Report"
  readonly host: string
  readonly blockNumber: number
  readonly timestamp: number
  readonly simulationMethod: NodeSimulationMethod | null
  readonly probedAtMs: number
}

const NO_CALL = { to: `0x${"0".repeat(40)}`, data: "0x" }
const OVERRIDES = { [`0x${"0".repeat(39)}1`]: { balance: "0x1" } }

const parametersByMethod: Readonly<Record<SimulationMethod, ReadonlyArray<unknown>>> = {
  TRACE: [NO_CALL, "latest", { tracer: "callTracer", stateOverrides: OVERRIDES }],
  SIMULATE: [{ blockStateCalls: [{ stateOverrides: OVERRIDES, calls: [NO_CALL] }] }, "latest"],
  CALL: [NO_CALL, "latest", OVERRIDES]
}

/**
 * Whether a node supports a method. Only a JSON-RPC error shows that it does not, so a missing response counts as
 * support.
 */
const supportsMethod = (probe: HostProbe, method: SimulationMethod) =>
  probe.request(rpcMethodOf[method], ...parametersByMethod[method]).pipe(
    Effect.as(true),
    Effect.catch((failure) => Effect.succeed(failure._tag !== "Refused"))
  )

const simulationMethodOf = Effect.fnUntraced(function* (probe: HostProbe) {
  for (const method of simulationMethods) if (yield* supportsMethod(probe, method)) return method
  return "NONE"
})

const quantityIn = (block: unknown, field: "number" | "timestamp"): number =>
  Number((block as Readonly<Record<string, unknown>> | null)?.[field] ?? Number.NaN)

const probeNode = Effect.fnUntraced(
  function* (chainId: EvmChainId, probe: HostProbe, detectsSimulationMethod: boolean) {
    const { host } = probe
    const [reportedChainId, block] = yield* Effect.all(
      [probe.request("eth_chainId"), probe.request("eth_getBlockByNumber", "latest", false)],
      { concurrency: 2 }
    )
    const probedAtMs = systemTime.now()
    if (Number(reportedChainId) !== chainId)
      return { _tag: "OtherChain", host, chainId: Number(reportedChainId) } as const
    const [blockNumber, timestamp] = [quantityIn(block, "number"), quantityIn(block, "timestamp")]
    const failure: ProbeFailure = { _tag: "NoJsonRpc" }
    if (!Number.isSafeInteger(blockNumber + timestamp)) return { _tag: "Failed", host, failure } as const
    const simulationMethod: NodeSimulationMethod | null = detectsSimulationMethod
      ? yield* simulationMethodOf(probe)
      : null
    return { _tag: "Report", host, blockNumber, timestamp, simulationMethod, probedAtMs } satisfies NodeReport
  },
  (effect, _chainId, { host }) =>
    Effect.catch(effect, (failure) => Effect.succeed({ _tag: "Failed", host, failure } as const))
)

/**
 * Returns the number of blocks by which each node is behind the highest one. Zero for a node that failover does not
 * treat as lagging.
 */
const lagsOf = (chainId: EvmChainId, reports: ReadonlyArray<NodeReport>, maxLagBlocks: number) => {
  const lastAt = Math.max(...reports.map(({ probedAtMs }) => probedAtMs))
  const heads = reports.map((report) => ({
    report,
    // Earlier responses are adjusted, because the chain has produced blocks in the meantime.
    block: report.blockNumber + Math.floor((lastAt - report.probedAtMs) / chainOf(chainId).blockTimeMs)
  }))
  const highestBlock = Math.max(...heads.map(({ block }) => block))
  const chainHead = new ChainHead(maxLagBlocks)
  for (const { report, block } of heads) chainHead.reportHead(report, block)
  chainHead.finishSurvey(reports)
  return new Map(heads.map(({ report, block }) => [report, chainHead.isLagging(report) ? highestBlock - block : 0]))
}

/** Queries each node of a chain, in the order of the URLs. Every URL must be valid. */
export const probeNodes = Effect.fnUntraced(function* (
  chainId: EvmChainId,
  urls: ReadonlyArray<string>,
  { detectsSimulationMethod, maxLagBlocks, timeoutMs }: NodeProbeOptions
) {
  const results = yield* Effect.forEach(
    urls,
    (url) => probeNode(chainId, probeHost(url, timeoutMs), detectsSimulationMethod),
    {
      concurrency: 16
    }
  )
  const lags = lagsOf(
    chainId,
    results.filter((result) => result._tag === "Report"),
    maxLagBlocks
  )
  return results.map((result): NodeProbe => {
    if (result._tag !== "Report") return result
    const { blockNumber, host, timestamp, simulationMethod } = result
    return {
      _tag: "Answered",
      host,
      head: { blockNumber, timestamp, blocksBehind: lags.get(result) ?? 0 },
      simulationMethod
    }
  })
})
