import { layerEventSerializer } from "@countersign/adapters/api/serializers"
import { Swaps } from "@countersign/core/trading/swap"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { ByteSize, Context, Deferred, Effect, Layer, type Redacted, Schema } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServer } from "effect/http"
import { layerLinkBase } from "../handlers/publicUrl.ts"
import { JsonLimitsOfRequests } from "../middleware/boundedJson.ts"
import { defaultJsonLimits, type JsonLimits } from "../middleware/jsonProblem.ts"
import { type ConnectionLimits, defaultConnectionLimits } from "./ConnectionLimits.ts"
import { EventStreams, eventStreams } from "./EventStreams.ts"
import { countedSwaps, MetricsToken } from "./metrics.ts"
import { makeServer } from "./nodeServer.ts"
import { RequestSlots, requestSlots } from "./RequestSlots.ts"
import { exactPaths } from "./requestPath.ts"
import { layerRoutes } from "./routes.ts"

/** Options of the HTTP server. Every limit has a default. */
export interface HttpServiceOptions extends Partial<ConnectionLimits> {
  readonly port: number
  readonly host: string
  /** Maximum size of a request body. Default: 1 MiB. */
  readonly maxBodyBytes?: number
  readonly jsonLimits?: Partial<JsonLimits>
  /** Timeout until a response is ready. Default: 30 seconds. */
  readonly requestTimeoutMs?: number
  /**
   * Maximum number of concurrent requests with an API key. Default: 512. In addition, each route without authentication
   * accepts up to a quarter of this number. The maximum does not apply to health checks and metrics.
   */
  readonly parallelRequestsMax?: number
  /** Values of the Host header that are accepted in addition to loopback names. Default: any host. */
  readonly allowedHosts?: ReadonlyArray<string>
  /** Origins whose pages may call the service from a browser. Default: none. */
  readonly corsOrigins?: ReadonlyArray<string>
  /** Whether the service serves the wallet page at `/app`. Default: true. */
  readonly appPage?: boolean
  /**
   * Who can open `/admin`, the operator console. `off`: no client; `loopback`: browsers on this machine; `on`: every
   * client. Default: `loopback`.
   */
  readonly adminConsole?: "off" | "loopback" | "on"
  /** Bearer token that /metrics requires. Default: no token. */
  readonly metricsToken?: Redacted.Redacted<string>
}

/** The server cannot listen on the address. */
export class CannotListen extends Schema.TaggedError<CannotListen>("http/server/CannotListen")("CANNOT_LISTEN", {
  host: Schema.String,
  port: Schema.Int,
  reason: Schema.String
}) {
  override get message(): string {
    return `Can't listen on ${this.host}:${this.port}: ${this.reason}`
  }
}

const reasonOf = (cause: unknown): string =>
  `${cause instanceof Error ? cause.message : String(cause)}. Choose another address with HOST and PORT.`

/** Effect copies all services of a context when a request adds more services than this limit. Effect's default is 8. */
const REQUEST_SERVICES_MAX = 32

/** Provides the HTTP server. Requests share the server's services, and add their own services without a copy. */
const layerSharedContext = Layer.effect(
  HttpServer.HttpServer,
  Effect.map(HttpServer.HttpServer, (server) =>
    HttpServer.make({
      ...server,
      serve: ((app, middleware) =>
        Effect.updateContext(server.serve(app, middleware), ({ mapUnsafe }) =>
          Context.makeUnsafe(mapUnsafe, { maxDepth: REQUEST_SERVICES_MAX })
        )) as typeof server.serve
    })
  )
)

/** Provides the HTTP server on top of the core's services. */
export const layerHttpService = (options: HttpServiceOptions) => {
  const maxBodyBytes = options.maxBodyBytes ?? 1024 * 1024
  const requestTimeoutMs = options.requestTimeoutMs ?? 30_000
  const limits = { ...defaultConnectionLimits, ...options }
  // Shorter than the response timeout, so that an incomplete request gets 408 and not 503.
  const receiveTimeoutMs = Math.min(limits.receiveTimeoutMs, Math.floor((requestTimeoutMs * 2) / 3))
  const adminConsole = options.adminConsole ?? "loopback"
  const pages = [
    ...(options.appPage === false ? [] : [{ name: "app" as const, isLocalOnly: false }]),
    ...(adminConsole === "off" ? [] : [{ name: "admin" as const, isLocalOnly: adminConsole === "loopback" }])
  ]
  const routes = layerRoutes({ maxBodyBytes, requestTimeoutMs, pages }).pipe(
    Layer.provide(Layer.succeed(JsonLimitsOfRequests, { ...defaultJsonLimits, ...options.jsonLimits })),
    Layer.provide(Layer.sync(RequestSlots, () => requestSlots(options.parallelRequestsMax ?? 512))),
    Layer.provide(Layer.succeed(MetricsToken, options.metricsToken ?? null))
  )
  return HttpRouter.serve(routes, {
    routerConfig: exactPaths,
    disableLogger: true,
    disableListenLog: true
  }).pipe(
    Layer.provide(layerSharedContext),
    Layer.provide(layerEventSerializer.pipe(Layer.provide(layerLinkBase))),
    Layer.provide(Layer.effect(Swaps, countedSwaps)),
    Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxBodyBytes))),
    Layer.provideMerge(
      Layer.unwrap(
        Effect.map(EventStreams, ({ closing }) =>
          NodeHttpServer.layer(
            () =>
              makeServer({ ...limits, receiveTimeoutMs }, options.corsOrigins ?? [], options.allowedHosts ?? null, () =>
                Deferred.doneUnsafe(closing, Effect.void)
              ),
            {
              port: options.port,
              host: options.host,
              gracefulShutdownTimeout: "10 seconds"
            }
          )
        )
      ).pipe(
        Layer.catch((error) =>
          Layer.effectContext(
            Effect.fail(new CannotListen({ host: options.host, port: options.port, reason: reasonOf(error.cause) }))
          )
        )
      )
    ),
    Layer.provide(Layer.sync(EventStreams, eventStreams))
  )
}
