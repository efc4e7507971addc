import {
  HostFailure,
  hostFailureFromExcess,
  hostFailureFromStatus,
  hostFailureFromThrown,
  targetOf,
  textOf
} from "../../../../outbound/json-api/index.ts"
import type { RpcTime } from "../RpcTime.ts"
import { type JsonRpcRequest, outcomeOf, parseResponses, type RpcResponse, refusalOfAll } from "./responses.ts"

/** Called once for each HTTP request, with its JSON-RPC methods. */
export type OnRequest = (methods: ReadonlyArray<string>) => void

/** A completed HTTP request: the results in its response, and the host's failure (null if it did not fail). */
export interface Exchange {
  readonly results: ReadonlyArray<{ readonly method: string; readonly result: unknown }>
  readonly failure: HostFailure | null
  readonly seconds: number
}

export interface ResponseLimit {
  /** Maximum size in bytes. The rest of a longer response is not read. */
  readonly maxBytes: number
  /**
   * What is wrong with the request if its response exceeds the timeout or the maximum size. Null if the host is at fault.
   */
  readonly requestFault: string | null
}

export interface JsonRpcHostOptions {
  /** Timeout of an HTTP request in milliseconds, including the entire response. */
  readonly timeoutMs: number
  /** Returns the limit of a response, from the first method of the batch. */
  readonly limitOf: (method: string) => ResponseLimit
  /** Maximum number of requests in one batch, because providers reject longer batches. */
  readonly maxBatchSize: number
  /** Maximum number of concurrent HTTP requests. */
  readonly maxConcurrent: number
  /** Maximum number of queued requests. Further requests fail immediately. */
  readonly maxWaiting: number
  readonly time: RpcTime
  readonly onRequest: OnRequest
  /** Called for each exchange before the callers of its requests get their results. */
  readonly onExchange: (exchange: Exchange) => void
}

interface WaitingRequest extends JsonRpcRequest {
  /** Time after which the caller no longer needs the response, in milliseconds. */
  readonly deadlineAt: number
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/**
 * A JSON-RPC 2.0 endpoint over HTTP. Requests of the same event loop turn are sent in batches of at most
 * `maxBatchSize`, and so are queued requests. A request fails with `JsonRpcError` if the host responded with an error.
 * It fails with `HostFailure` if there was no usable response: none, not JSON-RPC, for another request, or in an
 * impossible format. Does not use `httpHost`, because a batch contains requests of several callers, and `RpcHost`
 * maintains the circuits and metrics of nodes.
 */
export class JsonRpcHost {
  readonly #url: string
  readonly #headers: Record<string, string>
  readonly #options: JsonRpcHostOptions
  #waiting: Array<WaitingRequest> = []
  #inFlight = 0
  /** Ids are never reused, so that a response can't be assigned to a later request. */
  #nextId = 1
  #isFlushScheduled = false

  constructor(url: string, options: JsonRpcHostOptions) {
    const target = targetOf(url)
    this.#headers = { "content-type": "application/json", ...target.headers }
    this.#url = target.url
    this.#options = options
  }

  request(request: JsonRpcRequest, deadlineAt = Number.POSITIVE_INFINITY): Promise<unknown> {
    const { maxWaiting } = this.#options
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= maxWaiting) {
        return reject(new HostFailure(`${maxWaiting} requests are already queued for it`, "BUSY"))
      }
      this.#waiting.push({ ...request, deadlineAt, resolve, reject })
      this.#scheduleFlush()
    })
  }

  #scheduleFlush(): void {
    if (this.#isFlushScheduled) return
    this.#isFlushScheduled = true
    setImmediate(() => {
      this.#isFlushScheduled = false
      this.#flush()
    })
  }

  #flush(): void {
    const now = this.#options.time.now()
    const awaitedRequests: Array<WaitingRequest> = []
    for (const request of this.#waiting) {
      if (request.deadlineAt > now) awaitedRequests.push(request)
      else request.reject(new HostFailure("the request was queued for too long", "BUSY"))
    }
    this.#waiting = awaitedRequests
    while (this.#waiting.length > 0 && this.#inFlight < this.#options.maxConcurrent) {
      void this.#exchange(this.#waiting.splice(0, this.#options.maxBatchSize))
    }
  }

  async #exchange(batch: ReadonlyArray<WaitingRequest>): Promise<void> {
    const { time } = this.#options
    this.#inFlight += 1
    const startedAt = time.now()
    this.#options.onRequest(batch.map(({ method }) => method))
    const outcomes = await this.#outcomes(batch)
    this.#inFlight -= 1
    this.#options.onExchange({
      results: batch.flatMap(({ method }, i) => {
        const outcome = outcomes[i]!
        return "result" in outcome ? [{ method, result: outcome.result }] : []
      }),
      failure: outcomes.find((outcome) => outcome instanceof HostFailure) ?? null,
      seconds: (time.now() - startedAt) / 1000
    })
    batch.forEach((request, i) => {
      const outcome = outcomes[i]!
      if ("result" in outcome) request.resolve(outcome.result)
      else request.reject(outcome)
    })
    if (this.#waiting.length > 0) this.#scheduleFlush()
  }

  async #outcomes(batch: ReadonlyArray<WaitingRequest>): Promise<ReadonlyArray<ReturnType<typeof outcomeOf>>> {
    const firstId = this.#nextId
    this.#nextId += batch.length
    const bodies = batch.map(({ method, params }, i) => ({ jsonrpc: "2.0", id: firstId + i, method, params }))
    const limit = this.#options.limitOf(batch[0]!.method)
    try {
      const responses = await this.#post(bodies.length === 1 ? bodies[0] : bodies, limit)
      const byId = new Map(responses.map((response) => [response.id, response]))
      return batch.map((request, i) => outcomeOf(request, byId.get(firstId + i)))
    } catch (thrown) {
      const failure = hostFailureFromThrown(thrown, this.#options.timeoutMs, limit.requestFault)
      return batch.map(() => failure)
    }
  }

  async #post(body: unknown, { maxBytes, requestFault }: ResponseLimit): Promise<ReadonlyArray<RpcResponse>> {
    const { timeoutMs } = this.#options
    const response = await fetch(this.#url, {
      method: "POST",
      headers: this.#headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs)
    })
    const text = await textOf(response, maxBytes)
    if (text === null) throw hostFailureFromExcess(maxBytes, requestFault)
    const responses = parseResponses(text)
    // Some nodes send a JSON-RPC error with HTTP status 400 or 500. The error contains more information than the
    // status.
    const hasJsonRpcResponse = responses?.some((response) => response.id !== undefined && response.id !== null) === true
    if (responses === null || (!response.ok && !hasJsonRpcResponse)) {
      throw hostFailureFromStatus(response.status, response.headers.get("retry-after"))
    }
    const refusal = refusalOfAll(responses)
    if (refusal !== null) throw refusal
    return responses
  }
}
