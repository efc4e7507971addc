import { createHmac } from "node:crypto"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Clock, Effect, Option, Predicate, Redacted, Result, Schema } from "effect"
import { exchangeText } from "../../outbound/json-api/index.ts"
import { waitingOn } from "../../outbound/waits/index.ts"

export interface SumsubSettings {
  /** Where that is not Sumsub's own. */
  readonly url: string | null
  readonly appToken: Redacted.Redacted<string>
  readonly secretKey: Redacted.Redacted<string>
  /** With which it signs its messages; without one none is taken, and sessions are asked for alone. */
  readonly webhookSecret: Redacted.Redacted<string> | null
  /** The verification levels of people and of businesses, by their names in Sumsub's dashboard. */
  readonly levels: { readonly individual: string; readonly business: string }
}

export const TITLE = "Sumsub"
const PUBLIC_URL = "https://api.sumsub.com"
/** A document of 25 MiB over a slow line. */
const limits = { timeoutMs: 120_000, maxBytes: 2_000_000 }

/** Sumsub does not take what it was given, and will not on another attempt. It says nothing of the person. */
export class SumsubRefusal extends Schema.TaggedError<SumsubRefusal>("adapters/identity/SumsubRefusal")(
  "SUMSUB_REFUSAL",
  { status: Schema.Finite, code: Schema.NullOr(Schema.Finite), path: Schema.String }
) {
  override get message(): string {
    return `Sumsub answered status ${this.status}${this.code === null ? "" : ` and code ${this.code}`} to ${this.path}`
  }
}

const unavailable = (reason: string) => new UpstreamUnavailable({ upstream: TITLE, reason })

const jsonOf = (text: string): unknown =>
  Option.getOrUndefined(Result.getSuccess(Result.try(() => JSON.parse(text) as unknown)))

/** The text of a refusal may repeat what was sent. Its number does not. */
const codeOf = (body: unknown): number | null =>
  Predicate.hasProperty(body, "errorCode") && typeof body.errorCode === "number" ? body.errorCode : null

/** Not about this request: a wrong clock or key, an applicant that is being changed, a limit of the rate, a fault of its own. */
const isPassing = (status: number): boolean => [401, 403, 408, 409, 429].includes(status) || status >= 500

interface Request {
  readonly method: "GET" | "POST"
  /** With its query, as it is signed. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The bytes of a body and their type: of a form, or of JSON. */
const encoded = async (body: unknown): Promise<{ readonly bytes: Uint8Array; readonly type: string | null }> => {
  if (body === undefined) return { bytes: new Uint8Array(), type: null }
  if (!(body instanceof FormData)) return { bytes: Buffer.from(JSON.stringify(body)), type: "application/json" }
  // The bytes are signed, with the boundary that the type names.
  const whole = new Response(body)
  return { bytes: new Uint8Array(await whole.arrayBuffer()), type: whole.headers.get("content-type") }
}

/**
 * Asks Sumsub's API: one signed request. Null where it is about something that does not exist.
 * https://docs.sumsub.com/reference/authentication
 */
export const sumsubApi = ({ appToken, secretKey, url }: SumsubSettings) => {
  const base = url ?? PUBLIC_URL
  return Effect.fnUntraced(function* <A>(
    schema: Schema.Codec<A, unknown>,
    { body, headers, method, path }: Request
  ): Effect.fn.Return<A | null, SumsubRefusal | UpstreamUnavailable> {
    const seconds = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
    const { bytes, type } = yield* Effect.promise(() => encoded(body))
    const signature = createHmac("sha256", Redacted.value(secretKey))
      .update(`${seconds}${method}${path}`)
      .update(bytes)
      .digest("hex")
    const { status, text } = yield* waitingOn(
      "node",
      exchangeText(
        `${base}${path}`,
        {
          method,
          // Documents of people must not follow to another host.
          redirect: "error",
          headers: {
            accept: "application/json",
            "x-app-token": Redacted.value(appToken),
            "x-app-access-ts": String(seconds),
            "x-app-access-sig": signature,
            ...(type === null ? {} : { "content-type": type }),
            ...headers
          },
          ...(bytes.length === 0 ? {} : { body: Buffer.from(bytes) })
        },
        limits
      )
    ).pipe(Effect.mapError((failure) => unavailable(failure.message)))
    const answer = jsonOf(text ?? "")
    if (status === 404) return null
    if (isPassing(status)) return yield* unavailable(`status ${status}`)
    if (status < 200 || status > 299) {
      return yield* new SumsubRefusal({ status, code: codeOf(answer), path: path.replace(/\?.*$/u, "") })
    }
    const decoded = Schema.decodeUnknownOption(schema)(answer)
    return Option.isSome(decoded) ? decoded.value : yield* unavailable("its answer has an unexpected form")
  })
}

export type SumsubApi = ReturnType<typeof sumsubApi>
