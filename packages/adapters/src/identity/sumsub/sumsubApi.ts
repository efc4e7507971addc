import { createHmac } from "node:crypto"
import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Clock, Effect, Predicate, Redacted, Schema } from "effect"
import {
  decodeJson,
  HostFailure,
  type HttpResponse,
  httpHost,
  unexpectedStatus
} from "../../outbound/json-api/index.ts"

export interface SumsubSettings {
  /** Base URL of the API; null for Sumsub's own URL. */
  readonly url: string | null
  readonly appToken: Redacted.Redacted<string>
  readonly secretKey: Redacted.Redacted<string>
  /** Secret that verifies webhooks. If null, webhooks are rejected, and sessions are only polled. */
  readonly webhookSecret: Redacted.Redacted<string> | null
  /** Names of the verification levels for individuals and businesses in Sumsub's dashboard. */
  readonly levels: { readonly individual: string; readonly business: string }
}

export const TITLE = "Sumsub"
const PUBLIC_URL = "https://api.sumsub.com"
/** Limits that are sufficient for a document of 25 MiB on a slow connection. */
const limits = { timeoutMs: 120_000, maxBytes: 2_000_000 }

/** Sumsub rejected the request, and would also reject a retry. Contains no personal data. */
export class SumsubRefusal extends Schema.TaggedError<SumsubRefusal>("adapters/identity/SumsubRefusal")(
  "SUMSUB_REFUSAL",
  { status: Schema.Finite, code: Schema.NullOr(Schema.String), path: Schema.String }
) {
  override get message(): string {
    return `Sumsub responded with status ${this.status}${this.code === null ? "" : ` and code ${this.code}`} to ${this.path}`
  }
}

/** Returns the error code of a rejection. Its text may repeat data of the request, but the code does not. */
const codeOf = (body: unknown): string | null =>
  Predicate.hasProperty(body, "errorCode") && /^\d{1,9}$/u.test(String(body.errorCode)) ? String(body.errorCode) : null

/**
 * Whether the status concerns the host and not this request: a wrong clock or key, a rate limit, or an internal error.
 */
const isTemporary = (status: number): boolean => [401, 403, 408, 429].includes(status) || status >= 500

interface Request {
  readonly method: "GET" | "POST"
  /** Path including the query, because both are signed. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Encodes a form or JSON. Returns the bytes of the body and their content type. */
const encodeBody = async (body: unknown): Promise<{ readonly bytes: Uint8Array; readonly type: string | null }> => {
  if (body === undefined) return { bytes: new Uint8Array(), type: null }
  if (!(body instanceof FormData)) return { bytes: Buffer.from(JSON.stringify(body)), type: "application/json" }
  // Encodes the body before the request, because its bytes are signed. The content type contains the boundary.
  const bodyResponse = new Response(body)
  return { bytes: new Uint8Array(await bodyResponse.arrayBuffer()), type: bodyResponse.headers.get("content-type") }
}

/** Decodes a response of Sumsub; null if the resource does not exist. */
const decodeResponse = <A>(
  schema: Schema.Codec<A, unknown>,
  path: string,
  response: HttpResponse
): Effect.Effect<A | null, SumsubRefusal | HostFailure> => {
  const { json, status } = response
  if (status === 404) return Effect.succeed(null)
  if (status === 409) return Effect.fail(new HostFailure("another change has locked the applicant", "TOO_HEAVY"))
  if (isTemporary(status)) return unexpectedStatus(response)
  return status < 200 || status > 299
    ? Effect.fail(new SumsubRefusal({ status, code: codeOf(json), path: path.replace(/\?.*$/u, "") }))
    : decodeJson(schema, json)
}

/**
 * Creates a client for Sumsub's API that signs each request. The result of a request is null if the resource does not
 * exist. https://docs.sumsub.com/reference/authentication
 */
export const sumsubApi = ({ appToken, secretKey, url }: SumsubSettings) => {
  const host = httpHost({
    ...limits,
    title: TITLE,
    url: url ?? PUBLIC_URL,
    headers: { accept: "application/json", "x-app-token": appToken }
  })
  return Effect.fnUntraced(function* <A>(
    schema: Schema.Codec<A, unknown>,
    { body, headers, method, path }: Request
  ): Effect.fn.Return<A | null, SumsubRefusal | UpstreamUnavailable> {
    const seconds = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
    const { bytes, type } = yield* Effect.promise(() => encodeBody(body))
    const signature = createHmac("sha256", Redacted.value(secretKey))
      .update(`${seconds}${method}${path}`)
      .update(bytes)
      .digest("hex")
    const request = {
      method,
      path,
      headers: {
        "x-app-access-ts": String(seconds),
        "x-app-access-sig": signature,
        ...(type === null ? {} : { "content-type": type }),
        ...headers
      },
      ...(bytes.length === 0 ? {} : { body: Buffer.from(bytes) })
    }
    return yield* host.ask(request, (response) => decodeResponse(schema, path, response))
  })
}
