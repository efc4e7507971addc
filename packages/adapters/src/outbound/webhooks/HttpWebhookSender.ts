import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http"
import { Agent as HttpsAgent, request as requestHttps } from "node:https"
import { isIP } from "node:net"
import {
  NoWebhookResponse,
  type WebhookMessage,
  type WebhookResponse,
  WebhookSender
} from "@countersign/core/tenancy/webhooks"
import { Effect, Layer } from "effect"
import { retryAfterMs } from "../json-api/index.ts"
import { guardedLookup, isPublicAddress, PrivateTarget, type Resolve } from "../public-web/index.ts"
import { signedHeaders } from "./standardWebhooks.ts"
import { webhookUrlProblem } from "./webhookUrl.ts"

export interface WebhookSenderOptions {
  /**
   * Whether to also allow http URLs and private networks: for a sandbox, or if everyone who can create webhooks is
   * trusted.
   */
  readonly allowPrivateTargets: boolean
  /** Timeout in milliseconds, from the name resolution to the response status. */
  readonly timeoutMs: number
  /** Resolves a host name. Default: the system's resolver. */
  readonly resolve?: Resolve
}

/**
 * Maximum number of bytes of a response body that are read. The body is not used, but reading it allows reusing the
 * connection.
 */
const BODY_BYTES_MAX = 16 * 1024
const BODY_PATIENCE_MS = 1_000
const HEADER_BYTES_MAX = 16 * 1024
const IDLE_CONNECTION_MS = 15_000

const discardBody = (response: IncomingMessage): void => {
  let size = 0
  const timer = setTimeout(() => response.destroy(), BODY_PATIENCE_MS)
  response.on("data", (chunk: Buffer) => {
    size += chunk.length
    if (size > BODY_BYTES_MAX) response.destroy()
  })
  response.on("error", () => {})
  response.on("close", () => clearTimeout(timer))
}

const reasonOf = (cause: unknown): string => {
  if (cause instanceof PrivateTarget) return cause.message
  const { code, message } = Object(cause) as { readonly code?: unknown; readonly message?: unknown }
  switch (code) {
    case "ECONNREFUSED":
      return "the connection was refused"
    case "ECONNRESET":
    case "EPIPE":
      return "the connection was closed without a response"
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "its name could not be resolved"
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return "it could not be reached"
    case "HPE_HEADER_OVERFLOW":
      return "its response has too many headers"
    default:
      return typeof code === "string" && !code.startsWith("HPE_") ? `${code}: ${message}` : "its response is not HTTP"
  }
}

/**
 * Posts deliveries over HTTP on reused connections, signed according to Standard Webhooks. Does not use `httpHost`,
 * because `fetch` has no `lookup` option to check the resolved address, and because customers choose the hosts.
 */
export const layer = ({ allowPrivateTargets, resolve, timeoutMs }: WebhookSenderOptions) =>
  Layer.effect(
    WebhookSender,
    Effect.gen(function* () {
      const agentOptions = { keepAlive: true, timeout: IDLE_CONNECTION_MS, maxFreeSockets: 64 }
      const agents = yield* Effect.acquireRelease(
        Effect.sync(() => ({ http: new HttpAgent(agentOptions), https: new HttpsAgent(agentOptions) })),
        ({ http, https }) =>
          Effect.sync(() => {
            http.destroy()
            https.destroy()
          })
      )
      const lookupOptions = allowPrivateTargets ? {} : { lookup: guardedLookup(resolve) }

      const attempt = ({ body, id, secrets, url }: WebhookMessage, isSecondTry: boolean) =>
        Effect.callback<WebhookResponse, { readonly cause: unknown; readonly isStale: boolean }>((resume) => {
          const target = new URL(url)
          const isHttps = target.protocol === "https:"
          const bytes = Buffer.from(body)
          // The real time and not a sandbox's clock, because the receiver compares the timestamp with its own clock.
          const timestampSeconds = Math.floor(Date.now() / 1000)
          const request = (isHttps ? requestHttps : requestHttp)(target, {
            method: "POST",
            agent: isHttps ? agents.https : agents.http,
            maxHeaderSize: HEADER_BYTES_MAX,
            ...lookupOptions,
            headers: {
              ...signedHeaders(secrets, id, timestampSeconds, body),
              "content-type": "application/json",
              "content-length": bytes.length,
              "user-agent": "Countersign-Webhooks/1"
            }
          })
          request.on("response", (response) => {
            discardBody(response)
            resume(
              Effect.succeed({
                status: response.statusCode ?? 0,
                retryAfterMs: retryAfterMs(response.headers["retry-after"], Date.now())
              })
            )
          })
          request.on("error", (cause: NodeJS.ErrnoException) =>
            resume(Effect.fail({ cause, isStale: !isSecondTry && request.reusedSocket && cause.code === "ECONNRESET" }))
          )
          request.end(bytes)
          return Effect.sync(() => request.destroy())
        })

      return WebhookSender.of({
        deadlineMs: timeoutMs,
        urlProblemOrNull: (url) => webhookUrlProblem(url, allowPrivateTargets),
        post: (message) => {
          const host = URL.parse(message.url)?.hostname.replace(/^\[|\]$/gu, "") ?? ""
          // An IP address in the URL needs no lookup, so it must be checked here.
          if (!allowPrivateTargets && isIP(host) !== 0 && !isPublicAddress(host)) {
            return Effect.fail(new NoWebhookResponse({ reason: new PrivateTarget(host).message }))
          }
          return attempt(message, false).pipe(
            // Retries once if the receiver closed an idle connection while it was being reused.
            Effect.catch((failure) => (failure.isStale ? attempt(message, true) : Effect.fail(failure))),
            Effect.mapError(({ cause }) => new NoWebhookResponse({ reason: reasonOf(cause) })),
            Effect.timeoutOrElse({
              duration: timeoutMs,
              orElse: () => Effect.fail(new NoWebhookResponse({ reason: `no response within ${timeoutMs} ms` }))
            })
          )
        }
      })
    })
  )
