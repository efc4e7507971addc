import type { RpcTime } from "../RpcTime.ts"
import { type Answer, outcomeOf, parseAnswers, refusalOfAll } from "./answers.ts"
import { HostFailure, hostFailureFromStatus, hostFailureFromThrown } from "./HostFailure.ts"

export interface JsonRpcRequest {
  readonly method: string
  readonly params: unknown
}

/** Told of each HTTP request once, with the JSON-RPC methods in it: what a benchmark counts. */
export type OnRequest = (methods: ReadonlyArray<string>) => void

/** One HTTP request that came to its end: the results in it, and what stands against the host, or null. */
export interface Exchange {
  readonly results: ReadonlyArray<{ readonly method: string; readonly result: unknown }>
  readonly failure: HostFailure | null
  readonly seconds: number
}

export interface JsonRpcHostOptions {
  /** Time for one HTTP request with its answer. */
  readonly timeoutMs: number
  /** Requests in one batch at most; providers refuse longer ones. */
  readonly maxBatchSize: number
  /** HTTP requests at once. */
  readonly maxConcurrent: number
  /** Requests that wait for one of those at most; what comes on top fails at once. */
  readonly maxWaiting: number
  readonly time: RpcTime
  readonly onRequest: OnRequest
  /** Told of each exchange before its requests are. */
  readonly onExchange: (exchange: Exchange) => void
}

interface Pending extends JsonRpcRequest {
  /** Nobody waits for the answer after this. */
  readonly deadlineAt: number
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/**
 * One JSON-RPC 2.0 endpoint over HTTP. Requests made in the same turn of the event loop travel as one batch, and so do
 * those that had to wait. A request fails with `JsonRpcError` when the host answered with an error, and with
 * `HostFailure` when it gave no usable answer: none at all, no JSON-RPC, another request's, or one that can't be true.
 */
export class JsonRpcHost {
  readonly #url: string
  readonly #headers: Record<string, string>
  readonly #options: JsonRpcHostOptions
  #waiting: Array<Pending> = []
  #underway = 0
  /** Never used twice, so that an answer to an earlier request is not taken for one to this. */
  #nextId = 1
  #flushIsDue = false

  constructor(url: string, options: JsonRpcHostOptions) {
    const parsed = new URL(url)
    this.#headers = { "content-type": "application/json" }
    // fetch refuses URLs with credentials, so they travel as a header.
    if (parsed.username !== "" || parsed.password !== "") {
      const credentials = `${decodeURIComponent(parsed.username)}:${decodeURIComponent(parsed.password)}`
      this.#headers.authorization = `Basic ${Buffer.from(credentials).toString("base64")}`
      parsed.username = ""
      parsed.password = ""
    }
    this.#url = parsed.href
    this.#options = options
  }

  request(request: JsonRpcRequest, deadlineAt = Number.POSITIVE_INFINITY): Promise<unknown> {
    const { maxWaiting } = this.#options
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= maxWaiting) {
        return reject(new HostFailure(`${maxWaiting} requests wait for it already`, "BUSY"))
      }
      this.#waiting.push({ ...request, deadlineAt, resolve, reject })
      this.#flushSoon()
    })
  }

  #flushSoon(): void {
    if (this.#flushIsDue) return
    this.#flushIsDue = true
    setImmediate(() => {
      this.#flushIsDue = false
      this.#flush()
    })
  }

  #flush(): void {
    const now = this.#options.time.now()
    const alive: Array<Pending> = []
    for (const request of this.#waiting) {
      if (request.deadlineAt > now) alive.push(request)
      else request.reject(new HostFailure("the request had to wait for too long", "BUSY"))
    }
    this.#waiting = alive
    while (this.#waiting.length > 0 && this.#underway < this.#options.maxConcurrent) {
      void this.#exchange(this.#waiting.splice(0, this.#options.maxBatchSize))
    }
  }

  async #exchange(batch: ReadonlyArray<Pending>): Promise<void> {
    const { time } = this.#options
    this.#underway += 1
    const startedAt = time.now()
    this.#options.onRequest(batch.map(({ method }) => method))
    const outcomes = await this.#outcomes(batch)
    this.#underway -= 1
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
    if (this.#waiting.length > 0) this.#flushSoon()
  }

  async #outcomes(batch: ReadonlyArray<Pending>): Promise<ReadonlyArray<ReturnType<typeof outcomeOf>>> {
    const firstId = this.#nextId
    this.#nextId += batch.length
    const bodies = batch.map(({ method, params }, i) => ({ jsonrpc: "2.0", id: firstId + i, method, params }))
    try {
      const answers = await this.#post(bodies.length === 1 ? bodies[0] : bodies)
      const byId = new Map(answers.map((answer) => [answer.id, answer]))
      return batch.map(({ method }, i) => outcomeOf(method, byId.get(firstId + i)))
    } catch (thrown) {
      const failure = hostFailureFromThrown(thrown, this.#options.timeoutMs)
      return batch.map(() => failure)
    }
  }

  async #post(body: unknown): Promise<ReadonlyArray<Answer>> {
    const response = await fetch(this.#url, {
      method: "POST",
      headers: this.#headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(this.#options.timeoutMs)
    })
    const answers = parseAnswers(await response.text())
    // Some nodes send a JSON-RPC error with status 400 or 500: it says more than the status.
    const explained = answers?.some((answer) => answer.id !== undefined && answer.id !== null) === true
    if (answers === null || (!response.ok && !explained)) {
      throw hostFailureFromStatus(response.status, response.headers.get("retry-after"))
    }
    const refusal = refusalOfAll(answers)
    if (refusal !== null) throw refusal
    return answers
  }
}
