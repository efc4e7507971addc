import { LinkBase } from "@countersign/adapters/api/wire"
import { Context, Effect, Layer } from "effect"
import { HttpServer, HttpServerRequest } from "effect/http"

/** The service's public URL; null to use the URL of each request. */
export const PublicUrl = Context.Reference<string | null>("@countersign/http/PublicUrl", { defaultValue: () => null })

/** The base URL of links to the service: the configured URL, otherwise the URL of the request. */
export const baseUrl = Effect.gen(function* () {
  const publicUrl = yield* PublicUrl
  if (publicUrl !== null) return publicUrl
  const request = yield* HttpServerRequest.HttpServerRequest
  return `http://${request.headers.host ?? "localhost"}`
})

/** A wildcard address can be listened on, but clients cannot connect to it. */
const reachable = (url: string) => url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//127.0.0.1:")

/** The base URL of links in events, which have no request: the configured URL, otherwise the server's address. */
export const layerLinkBase = Layer.effect(
  LinkBase,
  Effect.gen(function* () {
    const listenUrl = yield* HttpServer.addressFormattedWith((url) => Effect.succeed(url))
    return (yield* PublicUrl) ?? reachable(listenUrl)
  })
)
