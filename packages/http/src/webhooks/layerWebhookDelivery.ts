import { WebhookDeliverer } from "@countersign/adapters/workers"
import { WebhookDeliveries } from "@countersign/core/webhooks"
import { Layer } from "effect"
import { layerEventPresenter } from "./eventPresenter.ts"

/** Delivers events as long as the layer exists. They show resources as the HTTP API does. */
export const layerWebhookDelivery = (worker: string) =>
  WebhookDeliverer.layer(worker).pipe(Layer.provide(WebhookDeliveries.layer), Layer.provide(layerEventPresenter))
