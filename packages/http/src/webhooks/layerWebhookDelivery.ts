import { WebhookDeliverer } from "@countersign/adapters/workers"
import { WebhookDeliveries } from "@countersign/core/webhooks"
import { Layer } from "effect"
import { layerEventPresenter } from "./eventPresenter.ts"

/** Delivers events for as long as the layer lives, beside the HTTP server whose resources they show. */
export const layerWebhookDelivery = (worker: string) =>
  WebhookDeliverer.layer(worker).pipe(Layer.provide(WebhookDeliveries.layer), Layer.provide(layerEventPresenter))
