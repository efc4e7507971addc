import { Schema } from "effect"
import { eventKind } from "../events/index.ts"

/** The test event, which an owner sends to an endpoint to try it. */
export const webhookEvents = eventKind("webhook", ["webhook.test"], Schema.Struct({ webhookId: Schema.String }))
