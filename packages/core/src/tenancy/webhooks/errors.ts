import { Schema } from "effect"

/** Also returned for an endpoint that belongs to another project. */
export class WebhookNotFound extends Schema.TaggedError<WebhookNotFound>("core/webhooks/WebhookNotFound")(
  "WEBHOOK_NOT_FOUND",
  { id: Schema.String }
) {
  override get message(): string {
    return `There is no webhook ${this.id}.`
  }
}

export class WebhookDeliveryNotFound extends Schema.TaggedError<WebhookDeliveryNotFound>(
  "core/webhooks/WebhookDeliveryNotFound"
)("WEBHOOK_DELIVERY_NOT_FOUND", { webhookId: Schema.String, id: Schema.String }) {
  override get message(): string {
    return `Webhook ${this.webhookId} has no delivery ${this.id}.`
  }
}

/** A disabled endpoint receives no deliveries, so a redelivery is not possible. */
export class WebhookDisabled extends Schema.TaggedError<WebhookDisabled>("core/webhooks/WebhookDisabled")(
  "WEBHOOK_DISABLED",
  { id: Schema.String, reason: Schema.String }
) {
  override get message(): string {
    return `Webhook ${this.id} is disabled: ${this.reason}.`
  }
}
