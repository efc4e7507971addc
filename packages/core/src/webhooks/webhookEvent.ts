import { Schema } from "effect"
import { eventKind } from "../events/index.ts"

/** What is told of an endpoint to itself, so that its owner can try it. */
export const webhookEvents = eventKind("webhook", ["webhook.test"], Schema.Struct({ webhookId: Schema.String }))
