import { layerEventSerializer } from "@countersign/adapters/api/serializers"
import { WebhookDeliverer } from "@countersign/adapters/service/workers"
import { WebhookDeliveries } from "@countersign/core/tenancy/webhooks"
import { Layer } from "effect"
import { layerLinkBase } from "../handlers/publicUrl.ts"

/** Delivers events while the layer exists, with resources in the format of the HTTP API. */
export const layerWebhookDelivery = (worker: string) =>
  WebhookDeliverer.layer(worker).pipe(
    Layer.provide(WebhookDeliveries.layer),
    Layer.provide(layerEventSerializer),
    Layer.provide(layerLinkBase)
  )
