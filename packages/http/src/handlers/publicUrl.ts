import { Context, Effect } from "effect"
import { HttpServerRequest } from "effect/http"

/** The URL under which clients reach the service; null where their requests tell it. */
export const PublicUrl = Context.Reference<string | null>("@countersign/http/PublicUrl", { defaultValue: () => null })

/** The base of links to ourselves: as configured, else as the client addressed us. */
export const baseUrl = Effect.gen(function* () {
  const publicUrl = yield* PublicUrl
  if (publicUrl !== null) return publicUrl
  const request = yield* HttpServerRequest.HttpServerRequest
  return `http://${request.headers.host ?? "localhost"}`
})
