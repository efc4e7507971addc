import { LinkBase } from "@countersign/adapters/api/wire"
import { Context, Effect, Layer } from "effect"
import { HttpServer, HttpServerRequest } from "effect/http"

/** The configured public URL of the service; null if links use the URL of each request. */
export const PublicUrl = Context.Reference<string | null>("@countersign/http/PublicUrl", { defaultValue: () => null })

/** Returns the base URL of links in responses: the configured URL, otherwise the URL of the request. */
export const baseUrl = Effect.gen(function* () {
  const publicUrl = yield* PublicUrl
  if (publicUrl !== null) return publicUrl
  const request = yield* HttpServerRequest.HttpServerRequest
  return `http://${request.headers.host ?? "localhost"}`
})

/** Replaces a wildcard listen address by a loopback address, because clients cannot connect to a wildcard address. */
const toReachableUrl = (url: string) => url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//127.0.0.1:")

/**
 * Provides the base URL of links in webhooks: the configured URL, otherwise the server's address. There is no request
 * from which it could be derived.
 */
export const layerLinkBase = Layer.effect(
  LinkBase,
  Effect.gen(function* () {
    const listenUrl = yield* HttpServer.addressFormattedWith((url) => Effect.succeed(url))
    return (yield* PublicUrl) ?? toReachableUrl(listenUrl)
  })
)
