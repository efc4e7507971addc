import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { ByteSize, Effect, Layer, Schema } from "effect"
import { HttpIncomingMessage, HttpRouter } from "effect/http"
import { MaxJsonDepth } from "../middleware/boundedJson.ts"
import { type ConnectionLimits, defaultConnectionLimits } from "./ConnectionLimits.ts"
import { makeServer } from "./nodeServer.ts"
import { layerRoutes } from "./routes.ts"

/** Every limit has a default. */
export interface HttpServiceOptions extends Partial<ConnectionLimits> {
  readonly port: number
  readonly host: string
  /** 1 MiB when not given. */
  readonly maxBodyBytes?: number
  /** Of the arrays and objects of a body, 32 when not given. */
  readonly maxJsonDepth?: number
  /** For an answer to be ready, 30 seconds when not given. */
  readonly requestTimeoutMs?: number
  /** Requests that are answered at the same time, 512 when not given. */
  readonly parallelRequestsMax?: number
}

/** The address can't be listened on. */
export class CannotListen extends Schema.TaggedError<CannotListen>("http/server/CannotListen")("CANNOT_LISTEN", {
  host: Schema.String,
  port: Schema.Int,
  reason: Schema.String
}) {
  override get message(): string {
    return `Can't listen on ${this.host}:${this.port}: ${this.reason}`
  }
}

const reasonOf = (cause: unknown): string => {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
  switch (code) {
    case "EADDRINUSE":
      return "the port is taken. Stop what listens there, or choose another with PORT."
    case "EACCES":
      return "the system does not permit it. Choose a port above 1023 with PORT."
    case "EADDRNOTAVAIL":
      return "this machine has no such address. Choose another with HOST."
    default:
      return cause instanceof Error ? cause.message : String(cause)
  }
}

/** The HTTP server over the core's services. */
export const layerHttpService = (options: HttpServiceOptions) => {
  const maxBodyBytes = options.maxBodyBytes ?? 1024 * 1024
  const requestTimeoutMs = options.requestTimeoutMs ?? 30_000
  const limits = { ...defaultConnectionLimits, ...options }
  // A request that does not arrive is the client's fault, and has to be told so before the time for an answer is over.
  const receiveTimeoutMs = Math.min(limits.receiveTimeoutMs, Math.floor((requestTimeoutMs * 2) / 3))
  const routes = layerRoutes({
    maxBodyBytes,
    requestTimeoutMs,
    parallelRequestsMax: options.parallelRequestsMax ?? 512
  }).pipe(Layer.provide(Layer.succeed(MaxJsonDepth, options.maxJsonDepth ?? MaxJsonDepth.defaultValue())))
  return HttpRouter.serve(routes, {
    disableLogger: true,
    disableListenLog: true
  }).pipe(
    Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxBodyBytes))),
    Layer.provideMerge(
      NodeHttpServer.layer(() => makeServer({ ...limits, receiveTimeoutMs }), {
        port: options.port,
        host: options.host,
        gracefulShutdownTimeout: "10 seconds"
      }).pipe(
        Layer.catch((error) =>
          Layer.effectContext(
            Effect.fail(new CannotListen({ host: options.host, port: options.port, reason: reasonOf(error.cause) }))
          )
        )
      )
    )
  )
}
