import { LinkBase } from "@countersign/adapters/api/wire"
import { Context, Effect, Layer } from "effect"
import { HttpServer, HttpServerRequest } from "effect/http"

/** The URL under which clients reach the service; null where their requests tell it. */
export const PublicUrl = Context.Reference<string | null>("@countersign/http/PublicUrl", { defaultValue: () => null })

/** The base of links to ourselves: as configured, else as the client addressed us. */
export const baseUrl = Effect.gen(function* () {
  const publicUrl = yield* PublicUrl
  if (publicUrl !== null) return publicUrl
  const request = yield* HttpServerRequest.HttpServerRequest
  return `http://${request.headers.host ?? "localhost"}`
})

/** A wildcard address can be listened on, but clients cannot connect to it. */
const reachable = (url: string) => url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//127.0.0.1:")

/** The base of links in events, which answer no request: as configured, else the address that the server listens on. */
export const layerLinkBase = Layer.effect(
  LinkBase,
  Effect.gen(function* () {
    const listenUrl = yield* HttpServer.addressFormattedWith((url) => Effect.succeed(url))
    return (yield* PublicUrl) ?? reachable(listenUrl)
  })
)
