import { Schema } from "effect"
import { eventKind } from "../events/index.ts"

/** The event that a user sends to test an endpoint. */
export const webhookEvents = eventKind("webhook", ["webhook.test"], Schema.Struct({ webhookId: Schema.String }))
