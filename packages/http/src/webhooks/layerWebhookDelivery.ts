import { layerEventPresenter } from "@countersign/adapters/api/presenters"
import { LinkBase } from "@countersign/adapters/api/wire"
import { WebhookDeliverer } from "@countersign/adapters/service/workers"
import { WebhookDeliveries } from "@countersign/core/tenancy/webhooks"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { PublicUrl } from "../handlers/publicUrl.ts"

/** A wildcard address can be listened on, but clients cannot connect to it. */
const reachable = (url: string) => url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//127.0.0.1:")

/** PUBLIC_URL, or else the address that we listen on. */
const layerLinkBase = Layer.effect(
  LinkBase,
  Effect.gen(function* () {
    const listenUrl = yield* HttpServer.addressFormattedWith((url) => Effect.succeed(url))
    return (yield* PublicUrl) ?? reachable(listenUrl)
  })
)

/** Delivers events as long as the layer exists. They show resources as the HTTP API does. */
export const layerWebhookDelivery = (worker: string) =>
  WebhookDeliverer.layer(worker).pipe(
    Layer.provide(WebhookDeliveries.layer),
    Layer.provide(layerEventPresenter),
    Layer.provide(layerLinkBase)
  )
