import { type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import type { CircuitOptions } from "../../../outbound/json-api/index.ts"
import { ChainHead } from "./ChainHead.ts"
import { failOver } from "./failOver.ts"
import type { JsonRpcRequest } from "./host/answers.ts"
import { type HostRole, RpcHost } from "./host/RpcHost.ts"
import type { HostHealth } from "./RpcHealth.ts"
import { type RpcTime, systemTime } from "./RpcTime.ts"
import type { Witness, Witnesses } from "./Witnesses.ts"

/** The limits of a call, and of the load on a host. */
export interface RpcLimits {
  /** Timeout of one HTTP request. Default: 4 seconds. */
  readonly timeoutMs?: number
  /** Timeout of a call. Default: 9 seconds, less than a quote waits for its provider. */
  readonly deadlineMs?: number
  /** Number of attempts per URL before a call fails. Default: 3. */
  readonly rounds?: number
  /** Pause before the second round. Default: 100 ms; doubled for each further round. */
  readonly retryDelayMs?: number
  /** Maximum number of requests in one JSON-RPC batch. Default: 100. */
  readonly maxBatchSize?: number
  /** Maximum concurrent HTTP requests to one host. Default: 32. */
  readonly maxConcurrent?: number
  /** Maximum size of a trace. Default: 8 million bytes, because a trace of a hundred swaps has two million. */
  readonly maxTraceBytes?: number
  /** Maximum number of queued requests for one host. Default: 2000. */
  readonly maxWaiting?: number
  /** Pause of a host after its first failure. Default: 1 second; doubled with each further failure. */
  readonly cooldownMs?: number
  /** The longest pause of a host, also for a host of another chain. Default: 30 seconds. */
  readonly longestCooldownMs?: number
  /** Interval between two comparisons of the hosts of a chain. Default: 5 seconds. */
  readonly surveyMs?: number
  /** Maximum lag in blocks before a host is used last. Default: 10. */
  readonly maxLagBlocks?: number
  /** How long a host that is down, or too far behind, is still required for agreement. Default: one minute. */
  readonly witnessPatienceMs?: number
}

export interface RpcOptions extends RpcLimits {
  /**
   * JSON-RPC URLs of each chain, in the order of preference. A function is called for every request, because the
   * sandbox may start a chain late.
   */
  readonly urls: ReadonlyMap<EvmChainId, ReadonlyArray<string>> | ((chainId: EvmChainId) => ReadonlyArray<string>)
  /** Called once per HTTP request. */
  readonly onRequest?: (chainId: EvmChainId, methods: ReadonlyArray<string>) => void
  readonly time?: RpcTime
}

export type RpcRequest = (request: JsonRpcRequest) => Promise<unknown>

export interface RpcConnections {
  readonly requestOf: (chainId: EvmChainId) => RpcRequest
  /** The chain's hosts, for individual requests. */
  readonly witnessesOf: (chainId: EvmChainId) => Witnesses
  /** The hosts of the used chains. */
  readonly health: () => ReadonlyArray<HostHealth>
}

const MAX_PAUSE_MS = 1_000
const SLOW_HOST_WAIT_MS = 500
/** If there are other hosts, one failure pauses a host. A single host is only paused after several failures. */
const FAILURES_OF_ONE_HOST = 1
const FAILURES_OF_ONLY_HOST = 3

/** How many hosts must agree on a final fact, if the chain has that many. */
const WITNESSES = 2

/** One connection per chain, which is reused while the chain's URLs do not change. */
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
    // The host has already checked the result against the method's format.
    request: (method, params) => host.request({ method, params }, time.now() + timeoutMs) as Promise<never>
  })

  return {
    requestOf: (chainId) => connectionOf(chainId).request,
    witnessesOf: (chainId) => {
      const { hosts } = connectionOf(chainId)
      const awaited = hosts.filter((host) => host.impairedMs < witnessPatienceMs)
      const usable = hosts.filter((host) => host.isUsable)
      const trusted = usable.filter((host) => awaited.includes(host))
      return {
        nodes: (trusted.length > 0 ? trusted : usable).map(witnessOf),
        required: Math.max(1, Math.min(WITNESSES, awaited.length))
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
