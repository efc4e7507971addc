import { Schema } from "effect"
import { eventKind } from "../events/index.ts"

/** The event with which a project tests an endpoint. */
export const webhookEvents = eventKind("webhook", ["webhook.test"], Schema.Struct({ webhookId: Schema.String }))
