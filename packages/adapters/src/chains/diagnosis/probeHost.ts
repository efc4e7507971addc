import { Effect } from "effect"
import { HostFailure, JsonRpcError, JsonRpcHost, systemTime } from "../evm/index.ts"

/** Why a host that was asked gave no usable answer. None of it has a URL in it. */
export type ProbeFailure =
  | { readonly _tag: "Hung"; readonly timeoutMs: number }
  /** It took the connection and dropped it. */
  | { readonly _tag: "Reset" }
  /** There was no connection at all: the code says why, where there is one. */
  | { readonly _tag: "Unreachable"; readonly code: string | null }
  | { readonly _tag: "Limited"; readonly retryAfterMs: number | null }
  | { readonly _tag: "HttpStatus"; readonly status: number }
  /** A web page, broken JSON, or JSON that answers something else. */
  | { readonly _tag: "NoJsonRpc" }
  /** JSON-RPC, and an error for an answer. */
  | { readonly _tag: "Refused"; readonly code: number; readonly message: string }

const RESET_CODES: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"])

/** The failures of a `JsonRpcHost`, told apart. They have words and no codes, because all others only pass them on. */
export const probeFailureOf = (thrown: unknown, timeoutMs: number): ProbeFailure => {
  if (thrown instanceof JsonRpcError) return { _tag: "Refused", code: thrown.code, message: thrown.shortMessage }
  if (!(thrown instanceof HostFailure)) return { _tag: "Unreachable", code: null }
  const { kind, message, retryAfterMs } = thrown
  if (kind === "LIMITED") return { _tag: "Limited", retryAfterMs }
  if (message.startsWith("no answer within")) return { _tag: "Hung", timeoutMs }
  const status = /HTTP status (\d{3})/u.exec(message)?.[1]
  if (status !== undefined) return { _tag: "HttpStatus", status: Number(status) }
  if (!message.startsWith("the connection failed")) return { _tag: "NoJsonRpc" }
  const code = /\((\w+)\)/u.exec(message)?.[1] ?? null
  return code !== null && RESET_CODES.has(code) ? { _tag: "Reset" } : { _tag: "Unreachable", code }
}

export interface HostProbe {
  /** Host name and port. */
  readonly host: string
  readonly ask: (method: string, ...params: ReadonlyArray<unknown>) => Effect.Effect<unknown, ProbeFailure>
}

/** Asks one host directly, without fail-over and without its cached state, to see its current state. */
export const probeHost = (url: string, timeoutMs: number): HostProbe => {
  const rpc = new JsonRpcHost(url, {
    timeoutMs,
    maxAnswerBytes: 1_000_000,
    exceeding: "FAILED",
    maxBatchSize: 10,
    maxConcurrent: 4,
    maxWaiting: 40,
    time: systemTime,
    onRequest: () => undefined,
    onExchange: () => undefined
  })
  return {
    host: new URL(url).host,
    ask: (method, ...params) =>
      Effect.tryPromise({
        try: () => rpc.request({ method, params }),
        catch: (thrown) => probeFailureOf(thrown, timeoutMs)
      })
  }
}
