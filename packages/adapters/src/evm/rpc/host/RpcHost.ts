import type { EvmChainId } from "@countersign/core/chains"
import { type ChainHead, headIn } from "../ChainHead.ts"
import { JsonRpcError } from "../JsonRpcError.ts"
import type { HostHealth, HostState } from "../RpcHealth.ts"
import { CircuitBreaker, type CircuitOptions } from "./CircuitBreaker.ts"
import { HostFailure } from "./HostFailure.ts"
import { HostMetrics, outcomeOfThrown } from "./HostMetrics.ts"
import { type Exchange, JsonRpcHost, type JsonRpcHostOptions, type JsonRpcRequest } from "./JsonRpcHost.ts"

/** NODE: tells its chain and its head. A bundler or a paymaster may tell neither. */
export type HostRole = "NODE" | "BUNDLER" | "PAYMASTER"

const services = { NODE: "node", BUNDLER: "bundler", PAYMASTER: "paymaster" } as const

export interface RpcHostOptions extends Omit<JsonRpcHostOptions, "onExchange"> {
  readonly chainId: EvmChainId
  readonly role: HostRole
  readonly circuit: CircuitOptions
}

/** A host with what is known of it: whether it serves the right chain, is up, and is where the others are. */
export class RpcHost {
  readonly #name: string
  readonly #options: RpcHostOptions
  readonly #head: ChainHead
  readonly #rpc: JsonRpcHost
  readonly #circuit: CircuitBreaker
  readonly #metrics: HostMetrics
  #isChecked = false
  #checking: Promise<void> | null = null
  #otherChain: number | null = null
  #lastFailure: { readonly reason: string; readonly at: number } | null = null
  #shown: { readonly state: HostState; readonly since: number }

  constructor(url: string, options: RpcHostOptions, head: ChainHead) {
    this.#name = new URL(url).host
    this.#options = options
    this.#head = head
    this.#circuit = new CircuitBreaker(options.circuit, options.time)
    this.#rpc = new JsonRpcHost(url, { ...options, onExchange: (exchange) => this.#learn(exchange) })
    this.#shown = { state: "UNKNOWN", since: Date.now() }
    const { chainId, role } = options
    this.#metrics = new HostMetrics({ chain: String(chainId), host: this.#name, service: services[role] })
    this.#metrics.tell(() => isUsed(this.#state()), role === "NODE" ? () => this.#head.headOf(this) : null)
  }

  /** Known to serve the chain, and not known to fail. */
  get isUsable(): boolean {
    return this.#isChecked && this.#circuit.state === "CLOSED"
  }

  get isLagging(): boolean {
    return this.#head.isLagging(this)
  }

  /** Whether `check` would find out something: at the first use, and when a host may be back. */
  get isDue(): boolean {
    return this.#circuit.state === "HALF_OPEN" || (!this.#isChecked && this.#circuit.state === "CLOSED")
  }

  /** Time until it may be asked again; 0 unless it is left alone. */
  get waitMs(): number {
    return this.#circuit.waitMs
  }

  /** Why it is not usable, in words. */
  get failure(): HostFailure {
    if (this.#otherChain !== null) return new HostFailure(wrongChain(this.#otherChain))
    return new HostFailure(this.#lastFailure?.reason ?? "it has not answered yet")
  }

  request(request: JsonRpcRequest, deadlineAt: number): Promise<unknown> {
    const answer = this.#rpc.request(request, deadlineAt)
    answer.then(
      () => this.#metrics.counted("answered"),
      (thrown: unknown) => this.#metrics.counted(outcomeOfThrown(thrown))
    )
    return answer
  }

  /** Notes a request that was not sent to it, because it is left alone. */
  rejected(): void {
    this.#metrics.counted("rejected")
  }

  /** It is no longer used. */
  retire(): void {
    this.#metrics.retire()
  }

  /** Asks it which chain it serves and how far it is. Never fails; several that want to know share one request. */
  check(): Promise<void> {
    this.#checking ??= this.#ask().finally(() => {
      this.#checking = null
    })
    return this.#checking
  }

  health(): HostHealth {
    const { chainId } = this.#options
    const { since, state } = this.#noteState()
    const blockNumber = this.#head.headOf(this)
    return { chainId, host: this.#name, state, since, blockNumber, lastFailure: this.#lastFailure }
  }

  async #ask(): Promise<void> {
    const { chainId, role, time, timeoutMs } = this.#options
    const ask = (method: string) => this.request({ method, params: [] }, time.now() + timeoutMs)
    try {
      const [answered, head] = await Promise.all([
        ask("eth_chainId").then(Number, (thrown: unknown) => {
          // A service need not know the method; that it answers is enough.
          if (role !== "NODE" && thrown instanceof JsonRpcError) return chainId
          throw thrown
        }),
        role === "NODE" ? ask("eth_blockNumber") : null
      ])
      this.#isChecked = answered === chainId
      this.#otherChain = this.#isChecked ? null : answered
      if (this.#isChecked && head !== null) this.#head.seen(this, Number(head))
      if (!this.#isChecked) this.#keepAway(this.failure, Number.POSITIVE_INFINITY)
    } catch (thrown) {
      // What no usable answer means was learned from the exchange; an error for an answer is as bad here.
      if (thrown instanceof JsonRpcError) {
        this.#keepAway(new HostFailure(`it does not tell its chain (${thrown.shortMessage})`), null)
      }
    }
    this.#noteState()
  }

  #learn({ failure, results, seconds }: Exchange): void {
    this.#metrics.took(seconds)
    if (failure === null) this.#circuit.succeeded()
    else if (failure.kind === "LIMITED") this.#keepAway(failure, failure.retryAfterMs)
    else {
      this.#noteFailure(failure)
      this.#circuit.failed()
    }
    // What comes back may be another host behind the same name: its chain is asked for again.
    if (this.#circuit.state !== "CLOSED") this.#isChecked = false
    // A head of another chain would make every host of this one look late.
    if (this.#isChecked) this.#noteHeads(results)
    this.#noteState()
  }

  #keepAway(failure: HostFailure, milliseconds: number | null): void {
    this.#noteFailure(failure)
    this.#circuit.openFor(milliseconds)
  }

  #noteHeads(results: Exchange["results"]): void {
    for (const { method, result } of results) {
      const head = headIn(method, result)
      if (head !== null) this.#head.seen(this, head)
    }
  }

  #noteFailure({ message }: HostFailure): void {
    this.#lastFailure = { reason: message, at: Date.now() }
  }

  #noteState(): { readonly state: HostState; readonly since: number } {
    const state = this.#state()
    if (state !== this.#shown.state) this.#shown = { state, since: Date.now() }
    return this.#shown
  }

  #state(): HostState {
    if (this.#otherChain !== null) return "WRONG_CHAIN"
    if (this.#circuit.state === "OPEN") return "DOWN"
    if (this.#circuit.state === "HALF_OPEN") return "RECOVERING"
    if (!this.#isChecked) return this.#lastFailure === null ? "UNKNOWN" : "DOWN"
    return this.isLagging ? "LAGGING" : "UP"
  }
}

const isUsed = (state: HostState): boolean => state !== "DOWN" && state !== "WRONG_CHAIN"

const wrongChain = (answered: number): string =>
  Number.isSafeInteger(answered) ? `it serves chain ${answered}` : "it does not tell its chain"
