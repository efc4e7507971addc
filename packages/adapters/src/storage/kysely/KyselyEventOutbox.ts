import { EventOutbox } from "@countersign/core/tenancy/events"
import { Effect, Layer } from "effect"
import { Db } from "./Db.ts"
import { webhookEvents } from "./webhookEvents.ts"

export const layer = Layer.effect(
  EventOutbox,
  Effect.map(Db, (db) => EventOutbox.of({ append: webhookEvents(db).append }))
)
