import { type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import { ChainHead } from "./ChainHead.ts"
import { failOver } from "./failOver.ts"
import type { JsonRpcRequest } from "./host/answers.ts"
import type { CircuitOptions } from "./host/CircuitBreaker.ts"
import { type HostRole, RpcHost } from "./host/RpcHost.ts"
import type { HostHealth } from "./RpcHealth.ts"
import { type RpcTime, systemTime } from "./RpcTime.ts"
import type { Witness, Witnesses } from "./Witnesses.ts"

/** The limits of a call, and of the load on a host. */
export interface RpcLimits {
  /** Time for one HTTP request, 4 seconds when not given. */
  readonly timeoutMs?: number
  /** Every call ends within this time, 9 seconds when not given: a quote waits longer than that for its provider. */
  readonly deadlineMs?: number
  /** How many times each URL is tried before a call fails, 3 when not given. */
  readonly rounds?: number
  /** Pause before the second round, 100 ms when not given; it doubles with each further round. */
  readonly retryDelayMs?: number
  /** Requests in one JSON-RPC batch at most, 100 when not given. */
  readonly maxBatchSize?: number
  /** HTTP requests to one host at the same time, 32 when not given. */
  readonly maxConcurrent?: number
  /** The largest trace that is read, 8 million bytes when not given: one of a hundred swaps has two million. */
  readonly maxTraceBytes?: number
  /** Requests that wait for one host at most, 2000 when not given. */
  readonly maxWaiting?: number
  /** Pause of a host after its first failure, 1 second when not given; it doubles with each further failure. */
  readonly cooldownMs?: number
  /** The longest pause of a host, also of one that serves another chain; 30 seconds when not given. */
  readonly longestCooldownMs?: number
  /** Time between two comparisons of the hosts of a chain, 5 seconds when not given. */
  readonly surveyMs?: number
  /** A host that is more blocks behind the others is asked last, 10 when not given. */
  readonly maxLagBlocks?: number
  /** A host that has been down, or so far behind, for longer is no longer waited for to confirm what another says; a minute when not given. */
  readonly witnessPatienceMs?: number
}

export interface RpcOptions extends RpcLimits {
  /** JSON-RPC URLs of each chain, the preferred one first. A function is called for every request: chains may start late. */
  readonly urls: ReadonlyMap<EvmChainId, ReadonlyArray<string>> | ((chainId: EvmChainId) => ReadonlyArray<string>)
  /** Called once for each HTTP request. */
  readonly onRequest?: (chainId: EvmChainId, methods: ReadonlyArray<string>) => void
  readonly time?: RpcTime
}

export type RpcRequest = (request: JsonRpcRequest) => Promise<unknown>

export interface RpcConnections {
  readonly requestOf: (chainId: EvmChainId) => RpcRequest
  /** The chain's hosts, to be asked one by one. */
  readonly witnessesOf: (chainId: EvmChainId) => Witnesses
  /** The hosts of the chains that were used. */
  readonly health: () => ReadonlyArray<HostHealth>
}

const LONGEST_PAUSE_MS = 1_000
const SLOW_HOST_WAIT_MS = 500
/** One failure is enough to pause a host while there is another one; an only host is paused after several. */
const FAILURES_OF_ONE_HOST = 1
const FAILURES_OF_ONLY_HOST = 3

/** How many hosts have to agree before something is believed for good, where there are as many. */
const WITNESSES = 2

/** One connection for each chain, kept while its URLs stay the same. */
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
      longestPauseMs: LONGEST_PAUSE_MS,
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
    // The host has held the answer to the form of the method's.
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
