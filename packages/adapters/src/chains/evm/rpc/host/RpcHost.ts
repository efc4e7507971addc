import type { EvmChainId } from "@countersign/core/foundation/chains"
import { CircuitBreaker, type CircuitOptions, HostFailure } from "../../../../outbound/json-api/index.ts"
import { type ChainHead, headIn } from "../ChainHead.ts"
import { JsonRpcError } from "../JsonRpcError.ts"
import { type BlockResponse, isTrace } from "../nodeResponses.ts"
import type { HostHealth, HostState } from "../RpcHealth.ts"
import { HostMetrics, thrownOutcome } from "./HostMetrics.ts"
import { type Exchange, JsonRpcHost, type JsonRpcHostOptions } from "./JsonRpcHost.ts"
import type { JsonRpcRequest } from "./responses.ts"

/** A NODE must return its chain id and its latest block. A bundler or a paymaster may return neither. */
export type HostRole = "NODE" | "BUNDLER" | "PAYMASTER"

const services = { NODE: "node", BUNDLER: "bundler", PAYMASTER: "paymaster" } as const

export interface RpcHostOptions extends Omit<JsonRpcHostOptions, "onExchange" | "limitOf"> {
  readonly chainId: EvmChainId
  readonly role: HostRole
  readonly circuit: CircuitOptions
  readonly maxTraceBytes: number
}

const MAX_RESPONSE_BYTES = 32_000_000
/** Maximum size of logs or of a receipt. Parsing a larger one would stop the event loop for too long. */
const MAX_LOG_BYTES = 16_000_000
/** Age in milliseconds above which a lagging host's latest block shows that the host is really behind. */
const OUTDATED_MS = 60_000

const RECEIPT = "eth_getTransactionReceipt"

/** Returns what is wrong with an expensive request whose response is too large or too slow. */
const faultOf = (method: string): string => {
  if (isTrace(method)) return "it can't trace the request, which may call too many contracts"
  return method === RECEIPT
    ? "it can't return the receipt, because the transaction may have too many logs"
    : "it can't return the logs, because the blocks may contain too many"
}

/** Whether the content of the chain can make a response to this method too large or too slow. */
const isHeavy = (method: string): boolean => isTrace(method) || method === RECEIPT || method === "eth_getLogs"

/** A host and its state: whether it serves the right chain, whether it works, and whether it lags. */
export class RpcHost {
  /** Host name and port. */
  readonly name: string
  readonly #options: RpcHostOptions
  readonly #head: ChainHead
  readonly #rpc: JsonRpcHost
  /**
   * Sends traces and requests for logs and receipts, each as a separate HTTP request. Except for a rate limit, their
   * failures do not count as failures of the host, because the request may be too expensive.
   */
  readonly #heavyRpc: JsonRpcHost
  /** Pending requests for receipts by their parameters. The operations of a bundle share the request for its receipt. */
  readonly #pendingReceipts = new Map<string, Promise<unknown>>()
  readonly #circuit: CircuitBreaker
  readonly #metrics: HostMetrics
  #isChecked = false
  /** Whether the latest block was older than `OUTDATED_MS` when the lagging host was last checked. */
  #isOutdated = false
  #pendingCheck: Promise<void> | null = null
  #otherChainId: number | null = null
  #lastFailure: { readonly reason: string; readonly at: number } | null = null
  #lastState: { readonly state: HostState; readonly since: number }
  /** Time since which the host has not been fully usable; null while it is usable. */
  #impairedAt: number | null

  constructor(url: string, options: RpcHostOptions, head: ChainHead) {
    this.name = new URL(url).host
    this.#options = options
    this.#head = head
    this.#circuit = new CircuitBreaker(options.circuit, options.time)
    this.#rpc = new JsonRpcHost(url, {
      ...options,
      limitOf: () => ({ maxBytes: MAX_RESPONSE_BYTES, requestFault: null }),
      onExchange: (exchange) => this.#applyExchange(exchange)
    })
    this.#heavyRpc = new JsonRpcHost(url, {
      ...options,
      limitOf: (method) => ({
        maxBytes: isTrace(method) ? options.maxTraceBytes : MAX_LOG_BYTES,
        requestFault: faultOf(method)
      }),
      maxBatchSize: 1,
      maxConcurrent: Math.ceil(options.maxConcurrent / 2),
      onExchange: (exchange) => this.#applyHeavyExchange(exchange)
    })
    this.#lastState = { state: "UNKNOWN", since: Date.now() }
    this.#impairedAt = options.time.now()
    const { chainId, role } = options
    this.#metrics = new HostMetrics({ chain: String(chainId), host: this.name, service: services[role] })
    this.#metrics.publish(() => isUsed(this.#state()), role === "NODE" ? () => this.#head.headOf(this) : null)
  }

  /** Whether the host serves the right chain and is not paused. */
  get isUsable(): boolean {
    return this.#isChecked && this.#circuit.state === "CLOSED"
  }

  get isLagging(): boolean {
    return this.#head.isLagging(this)
  }

  /** Whether a check is needed: before the first use, and when the pause of a failed host is over. */
  get needsCheck(): boolean {
    return this.#circuit.state === "HALF_OPEN" || (!this.#isChecked && this.#circuit.state === "CLOSED")
  }

  /** Milliseconds until the host may be used again; 0 if it is not paused. */
  get waitMs(): number {
    return this.#circuit.waitMs
  }

  /**
   * Milliseconds for which the host has been unchecked, down, far behind, or on another chain; 0 while it works. It
   * counts as far behind only if most hosts are ahead of it, or if its own latest block is old. Otherwise one host
   * could invent a block number to exclude the only other host.
   */
  get impairedMs(): number {
    this.#updateState()
    return this.#impairedAt === null ? 0 : this.#options.time.now() - this.#impairedAt
  }

  /** Returns why the host is not usable. */
  get failure(): HostFailure {
    if (this.#otherChainId !== null) return new HostFailure(wrongChainReason(this.#otherChainId))
    return new HostFailure(this.#lastFailure?.reason ?? "it has not responded yet")
  }

  request(request: JsonRpcRequest, deadlineAt: number): Promise<unknown> {
    if (request.method !== RECEIPT) return this.#send(request, deadlineAt)
    const params = JSON.stringify(request.params)
    const pendingReceipt = this.#pendingReceipts.get(params)
    if (pendingReceipt !== undefined) return pendingReceipt
    const receipt = this.#send(request, deadlineAt).finally(() => this.#pendingReceipts.delete(params))
    this.#pendingReceipts.set(params, receipt)
    return receipt
  }

  #send(request: JsonRpcRequest, deadlineAt: number): Promise<unknown> {
    const response = (isHeavy(request.method) ? this.#heavyRpc : this.#rpc).request(request, deadlineAt)
    response.then(
      () => this.#metrics.count("answered"),
      (thrown: unknown) => this.#metrics.count(thrownOutcome(thrown))
    )
    return response
  }

  /** Counts a request that was not sent because the host is paused. */
  countRejected(): void {
    this.#metrics.count("rejected")
  }

  /** Removes the host's state from the metrics, because the host is no longer used. */
  retire(): void {
    this.#metrics.retire()
  }

  /** Reads the chain id and the latest block of the host. Never fails. Concurrent calls share one request. */
  check(): Promise<void> {
    this.#pendingCheck ??= this.#runCheck().finally(() => {
      this.#pendingCheck = null
    })
    return this.#pendingCheck
  }

  health(): HostHealth {
    const { chainId } = this.#options
    const { since, state } = this.#updateState()
    const blockNumber = this.#head.headOf(this)
    return { chainId, host: this.name, state, since, blockNumber, lastFailure: this.#lastFailure }
  }

  async #runCheck(): Promise<void> {
    const { chainId, role, time, timeoutMs } = this.#options
    const requestMethod = (method: string, params: ReadonlyArray<unknown> = []) =>
      this.request({ method, params }, time.now() + timeoutMs)
    try {
      const [reportedChainId, head, block] = await Promise.all([
        requestMethod("eth_chainId").then(Number, (thrown: unknown) => {
          // A bundler or paymaster need not support the method. Any response shows that the host works.
          if (role !== "NODE" && thrown instanceof JsonRpcError) return chainId
          throw thrown
        }),
        role === "NODE" ? requestMethod("eth_blockNumber") : null,
        this.isLagging ? requestMethod("eth_getBlockByNumber", ["latest", false]).catch(() => null) : null
      ])
      const timestamp = (block as BlockResponse | null)?.timestamp
      this.#isOutdated = timestamp !== undefined && Date.now() - Number(timestamp) * 1_000 > OUTDATED_MS
      this.#isChecked = reportedChainId === chainId
      this.#otherChainId = this.#isChecked ? null : reportedChainId
      if (this.#isChecked && head !== null) this.#head.reportHead(this, Number(head))
      if (!this.#isChecked) this.#pause(this.failure, Number.POSITIVE_INFINITY)
    } catch (thrown) {
      // `#applyExchange` has already handled a missing response. Here only an error response must be handled.
      if (thrown instanceof JsonRpcError) {
        this.#pause(new HostFailure(`it does not return its chain id (${thrown.shortMessage})`), null)
      }
    }
    this.#updateState()
  }

  #applyExchange({ failure, results, seconds }: Exchange): void {
    this.#metrics.observeSeconds(seconds)
    if (failure === null) this.#circuit.recordSuccess()
    else if (failure.kind === "LIMITED") this.#pause(failure, failure.retryAfterMs)
    else {
      this.#setFailure(failure)
      this.#circuit.recordFailure()
    }
    // After a pause another host may respond at the same address, so its chain must be checked again.
    if (this.#circuit.state !== "CLOSED") this.#isChecked = false
    // The block number of another chain would make all hosts of this chain appear to lag.
    if (this.#isChecked) this.#readHeads(results)
    this.#updateState()
  }

  #applyHeavyExchange({ failure, seconds }: Exchange): void {
    this.#metrics.observeSeconds(seconds)
    if (failure?.kind === "LIMITED") this.#pause(failure, failure.retryAfterMs)
    this.#updateState()
  }

  #pause(failure: HostFailure, milliseconds: number | null): void {
    this.#setFailure(failure)
    this.#circuit.openFor(milliseconds)
  }

  #readHeads(results: Exchange["results"]): void {
    for (const { method, result } of results) {
      const head = headIn(method, result)
      if (head !== null) this.#head.reportHead(this, head)
    }
  }

  #setFailure({ message }: HostFailure): void {
    this.#lastFailure = { reason: message, at: Date.now() }
  }

  #updateState(): { readonly state: HostState; readonly since: number } {
    const state = this.#state()
    if (state !== this.#lastState.state) this.#lastState = { state, since: Date.now() }
    const isDisputed = state === "LAGGING" && !this.#isOutdated && !this.#head.isOutvoted(this)
    if (state === "UP" || isDisputed) this.#impairedAt = null
    else this.#impairedAt ??= this.#options.time.now()
    return this.#lastState
  }

  #state(): HostState {
    if (this.#otherChainId !== null) return "WRONG_CHAIN"
    if (this.#circuit.state === "OPEN") return "DOWN"
    if (this.#circuit.state === "HALF_OPEN") return "RECOVERING"
    if (!this.#isChecked) return this.#lastFailure === null ? "UNKNOWN" : "DOWN"
    return this.isLagging ? "LAGGING" : "UP"
  }
}

const isUsed = (state: HostState): boolean => state !== "DOWN" && state !== "WRONG_CHAIN"

const wrongChainReason = (reportedChainId: number): string =>
  Number.isSafeInteger(reportedChainId) ? `it serves chain ${reportedChainId}` : "it does not return its chain id"
