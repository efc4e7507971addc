import { type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import type { CircuitOptions } from "../../../outbound/json-api/index.ts"
import { ChainHead } from "./ChainHead.ts"
import { failOver } from "./failOver.ts"
import { type HostRole, RpcHost } from "./host/RpcHost.ts"
import type { JsonRpcRequest } from "./host/responses.ts"
import type { HostHealth } from "./RpcHealth.ts"
import { type RpcTime, systemTime } from "./RpcTime.ts"
import type { Witness, Witnesses } from "./Witnesses.ts"

/** Limits of a call, and of the load on a host. */
export interface RpcLimits {
  /** Timeout of one HTTP request. Default: 4 seconds. */
  readonly timeoutMs?: number
  /** Timeout of a call. Default: 9 seconds, which is less than a quote waits for a provider. */
  readonly deadlineMs?: number
  /** Number of attempts per URL before a call fails. Default: 3. */
  readonly rounds?: number
  /** Pause before the second round. Default: 100 ms; doubled for each further round. */
  readonly retryDelayMs?: number
  /** Maximum number of requests in one JSON-RPC batch. Default: 100. */
  readonly maxBatchSize?: number
  /**
   * Maximum number of concurrent HTTP requests to one host, and half as many requests for traces, logs and receipts in
   * addition.
   * Default: 32.
   */
  readonly maxConcurrent?: number
  /** Maximum size of a trace in bytes. Default: 8 million. A trace of a hundred swaps has 2 million. */
  readonly maxTraceBytes?: number
  /**
   * Maximum number of queued requests for one host. Requests for traces, logs and receipts have a separate queue of the
   * same size.
   * Default: 2000.
   */
  readonly maxWaiting?: number
  /**
   * First pause of a host: after one failure, or after three if it is the only host of the chain. Default: 1 second;
   * doubled each time the host is paused again.
   */
  readonly cooldownMs?: number
  /** Longest pause of a host, also of a host that serves another chain. Default: 30 seconds. */
  readonly longestCooldownMs?: number
  /** Interval between two comparisons of the hosts of a chain. Default: 5 seconds. */
  readonly surveyMs?: number
  /** Maximum lag in blocks. A host with a larger lag is used last. Default: 10. */
  readonly maxLagBlocks?: number
  /** How long a host that is down or too far behind is still required for agreement. Default: one minute. */
  readonly witnessPatienceMs?: number
}

export interface RpcOptions extends RpcLimits {
  /**
   * JSON-RPC URLs of each chain, in order of preference. A function is called for every request, because the sandbox
   * may start a chain late.
   */
  readonly urls: ReadonlyMap<EvmChainId, ReadonlyArray<string>> | ((chainId: EvmChainId) => ReadonlyArray<string>)
  /** Called once for each HTTP request. */
  readonly onRequest?: (chainId: EvmChainId, methods: ReadonlyArray<string>) => void
  readonly time?: RpcTime
}

export type RpcRequest = (request: JsonRpcRequest) => Promise<unknown>

export interface RpcConnections {
  readonly requestOf: (chainId: EvmChainId) => RpcRequest
  /** Returns the chain's usable hosts, and the number of hosts that must agree. */
  readonly witnessesOf: (chainId: EvmChainId) => Witnesses
  /** Returns the state of the hosts of all chains that were used. */
  readonly health: () => ReadonlyArray<HostHealth>
}

const MAX_PAUSE_MS = 1_000
const SLOW_HOST_WAIT_MS = 500
/**
 * Number of failures after which a host is paused: for a chain with several hosts, and for a chain with only one host.
 */
const FAILURES_OF_ONE_HOST = 1
const FAILURES_OF_ONLY_HOST = 3

/** Number of hosts that must agree on a fact, if the chain has that many. */
const WITNESSES = 2

/** Creates one connection for each chain. A connection is reused as long as the chain's URLs do not change. */
export const rpcConnections = (role: HostRole, options: RpcOptions): RpcConnections => {
  const { urls, time = systemTime, timeoutMs = 4_000, cooldownMs = 1_000, maxLagBlocks = 10 } = options
  const { witnessPatienceMs = 60_000 } = options
  const urlsOf = typeof urls === "function" ? urls : (chainId: EvmChainId) => urls.get(chainId) ?? []
  const connections = new Map<EvmChainId, Connection>()

  const connect = (chainId: EvmChainId, urls: ReadonlyArray<string>): Connection => {
    const head = new ChainHead(maxLagBlocks)
    const circuit: CircuitOptions = {
      failuresToOpen: urls.length > 1 ? FAILURES_OF_ONE_HOST : FAILURES_OF_ONLY_HOST,
      cooldownMs,
      longestCooldownMs: options.longestCooldownMs ?? 30_000
    }
    const hostOptions = {
      chainId,
      role,
      circuit,
      time,
      timeoutMs,
      maxBatchSize: options.maxBatchSize ?? 100,
      maxTraceBytes: options.maxTraceBytes ?? 8_000_000,
      maxConcurrent: options.maxConcurrent ?? 32,
      maxWaiting: options.maxWaiting ?? 2_000,
      onRequest: (methods: ReadonlyArray<string>) => options.onRequest?.(chainId, methods)
    }
    const hosts = urls.map((url) => new RpcHost(url, hostOptions, head))
    const request = failOver(hosts, head, {
      rounds: options.rounds ?? 3,
      retryDelayMs: options.retryDelayMs ?? 100,
      deadlineMs: options.deadlineMs ?? 9_000,
      surveyMs: options.surveyMs ?? 5_000,
      longestPauseMs: MAX_PAUSE_MS,
      slowHostWaitMs: SLOW_HOST_WAIT_MS,
      time
    })
    return { key: urls.join(" "), hosts, request }
  }

  const connectionOf = (chainId: EvmChainId): Connection => {
    const urls = urlsOf(chainId)
    const cachedConnection = connections.get(chainId)
    if (cachedConnection?.key === urls.join(" ")) return cachedConnection
    for (const host of cachedConnection?.hosts ?? []) host.retire()
    const connection = connect(chainId, urls)
    connections.set(chainId, connection)
    return connection
  }

  const witnessOf = (host: RpcHost): Witness => ({
    name: host.name,
    // The host has already validated the result's format for this method.
    request: (method, params) => host.request({ method, params }, time.now() + timeoutMs) as Promise<never>
  })

  return {
    requestOf: (chainId) => connectionOf(chainId).request,
    witnessesOf: (chainId) => {
      const { hosts } = connectionOf(chainId)
      const responsiveHosts = hosts.filter((host) => host.impairedMs < witnessPatienceMs)
      const usableHosts = hosts.filter((host) => host.isUsable)
      const witnessHosts = usableHosts.filter((host) => responsiveHosts.includes(host))
      return {
        nodes: (witnessHosts.length > 0 ? witnessHosts : usableHosts).map(witnessOf),
        required: Math.max(1, Math.min(WITNESSES, responsiveHosts.length))
      }
    },
    health: () => evmChainIds.flatMap((chainId) => connections.get(chainId)?.hosts.map((host) => host.health()) ?? [])
  }
}

interface Connection {
  readonly key: string
  readonly hosts: ReadonlyArray<RpcHost>
  readonly request: RpcRequest
}
