import { layerEventPresenter } from "@countersign/adapters/api/presenters"
import { WebhookDeliverer } from "@countersign/adapters/service/workers"
import { WebhookDeliveries } from "@countersign/core/tenancy/webhooks"
import { Layer } from "effect"
import { layerLinkBase } from "../handlers/publicUrl.ts"

/** Delivers events as long as the layer exists. They show resources as the HTTP API does. */
export const layerWebhookDelivery = (worker: string) =>
  WebhookDeliverer.layer(worker).pipe(
    Layer.provide(WebhookDeliveries.layer),
    Layer.provide(layerEventPresenter),
    Layer.provide(layerLinkBase)
  )
