import { HostFailure, hostFailureFromStatus, hostFailureFromThrown } from "./HostFailure.ts"
import { JsonRpcError } from "./JsonRpcError.ts"

export interface JsonRpcRequest {
  readonly method: string
  readonly params: unknown
}

/** Told of each HTTP request once, with the JSON-RPC methods in it: what a benchmark counts. */
export type OnRequest = (methods: ReadonlyArray<string>) => void

export interface JsonRpcHostOptions {
  /** Time for one HTTP request with its answer. */
  readonly timeoutMs: number
  /** Requests in one batch at most; providers refuse longer ones. */
  readonly maxBatchSize: number
  readonly onRequest?: OnRequest
}

interface Pending extends JsonRpcRequest {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

interface Answer {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown } | null
}

/**
 * One JSON-RPC 2.0 endpoint over HTTP. Requests made in the same turn of the event loop travel as one batch.
 * Every limit that is to hold per host (concurrency, rate, a circuit breaker) belongs into `send`.
 * A request fails with `JsonRpcError` when the host answered with an error, with `HostFailure` when it gave no answer.
 */
export class JsonRpcHost {
  readonly #url: string
  readonly #headers: Record<string, string>
  readonly #options: JsonRpcHostOptions
  #queue: Array<Pending> = []

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

  request(request: JsonRpcRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#queue.length === 0) setImmediate(() => this.#flush())
      this.#queue.push({ ...request, resolve, reject })
    })
  }

  #flush(): void {
    const queue = this.#queue
    this.#queue = []
    for (let start = 0; start < queue.length; start += this.#options.maxBatchSize) {
      void this.#send(queue.slice(start, start + this.#options.maxBatchSize))
    }
  }

  async #send(batch: ReadonlyArray<Pending>): Promise<void> {
    this.#options.onRequest?.(batch.map((request) => request.method))
    try {
      const bodies = batch.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }))
      const answers = await this.#post(bodies.length === 1 ? bodies[0] : bodies)
      const byId = new Map(answers.map((answer) => [answer.id, answer]))
      batch.forEach((request, id) => {
        settle(request, byId.get(id))
      })
    } catch (thrown) {
      const failure = hostFailureFromThrown(thrown, this.#options.timeoutMs)
      for (const request of batch) request.reject(failure)
    }
  }

  async #post(body: unknown): Promise<ReadonlyArray<Answer>> {
    const response = await fetch(this.#url, {
      method: "POST",
      headers: this.#headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(this.#options.timeoutMs)
    })
    const text = await response.text()
    const answers = parse(text)
    // Some nodes send a JSON-RPC error with status 400 or 500: it says more than the status.
    if (answers === null || (!response.ok && answers.every((answer) => answer.id === undefined))) {
      throw hostFailureFromStatus(response.status, response.headers.get("retry-after"))
    }
    // A batch that is refused as a whole has one error and no ids.
    const [only] = answers
    if (answers.length === 1 && only?.error && (only.id === undefined || only.id === null)) {
      throw jsonRpcErrorFrom(only) ?? new HostFailure("it refused the whole batch")
    }
    return answers
  }
}

const parse = (text: string): ReadonlyArray<Answer> | null => {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : typeof value === "object" && value !== null ? [value] : null
  } catch {
    return null
  }
}

const jsonRpcErrorFrom = ({ error }: Answer): HostFailure | JsonRpcError | null => {
  if (!error) return null
  const code = typeof error.code === "number" ? error.code : 0
  const message = typeof error.message === "string" ? error.message : "no message"
  // Rate limits of hosts that answer with status 200: -32005 of EIP-1474, and the codes of two large providers.
  return code === 429 || code === -32005 || code === -32007
    ? new HostFailure(`it limits the rate (${message})`)
    : new JsonRpcError(code, message, error.data)
}

const settle = (request: Pending, answer: Answer | undefined): void => {
  const error = answer === undefined ? new HostFailure("its answer lacks one of the results") : jsonRpcErrorFrom(answer)
  if (error !== null) request.reject(error)
  else request.resolve(answer?.result ?? null)
}
