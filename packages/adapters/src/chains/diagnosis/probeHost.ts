import { Effect } from "effect"
import { HostFailure } from "../../outbound/json-api/index.ts"
import { JsonRpcError, JsonRpcHost, systemTime } from "../evm/index.ts"

/** Why a host returned no usable response. Contains no URL, because URLs may contain keys. */
export type ProbeFailure =
  | { readonly _tag: "Hung"; readonly timeoutMs: number }
  /** The host accepted the connection and then dropped it. */
  | { readonly _tag: "Reset" }
  /** The connection failed. `code` is the reason; null if unknown. */
  | { readonly _tag: "Unreachable"; readonly code: string | null }
  | { readonly _tag: "Limited"; readonly retryAfterMs: number | null }
  | { readonly _tag: "HttpStatus"; readonly status: number }
  /** The response was a web page, invalid JSON, or JSON of another format. */
  | { readonly _tag: "NoJsonRpc" }
  /** The response was a JSON-RPC error. */
  | { readonly _tag: "Refused"; readonly code: number; readonly message: string }

const RESET_CODES: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"])

/** Classifies a failure of a `JsonRpcHost` by its message, because these failures have no codes. */
export const probeFailureOf = (thrown: unknown, timeoutMs: number): ProbeFailure => {
  if (thrown instanceof JsonRpcError) return { _tag: "Refused", code: thrown.code, message: thrown.shortMessage }
  if (!(thrown instanceof HostFailure)) return { _tag: "Unreachable", code: null }
  const { kind, message, retryAfterMs } = thrown
  if (kind === "LIMITED") return { _tag: "Limited", retryAfterMs }
  if (message.startsWith("no response within")) return { _tag: "Hung", timeoutMs }
  const status = /HTTP status (\d{3})/u.exec(message)?.[1]
  if (status !== undefined) return { _tag: "HttpStatus", status: Number(status) }
  if (!message.startsWith("the connection failed")) return { _tag: "NoJsonRpc" }
  const code = /\((\w+)\)/u.exec(message)?.[1] ?? null
  return code !== null && RESET_CODES.has(code) ? { _tag: "Reset" } : { _tag: "Unreachable", code }
}

export interface HostProbe {
  /** Host name and port. */
  readonly host: string
  readonly request: (method: string, ...params: ReadonlyArray<unknown>) => Effect.Effect<unknown, ProbeFailure>
}

/** Queries one host directly, without failover or cached state, to read its current state. */
export const probeHost = (url: string, timeoutMs: number): HostProbe => {
  const rpc = new JsonRpcHost(url, {
    timeoutMs,
    limitOf: () => ({ maxBytes: 1_000_000, requestFault: null }),
    maxBatchSize: 10,
    maxConcurrent: 4,
    maxWaiting: 40,
    time: systemTime,
    onRequest: () => undefined,
    onExchange: () => undefined
  })
  return {
    host: new URL(url).host,
    request: (method, ...params) =>
      Effect.tryPromise({
        try: () => rpc.request({ method, params }),
        catch: (thrown) => probeFailureOf(thrown, timeoutMs)
      })
  }
}
