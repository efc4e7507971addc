import { WebhookDeliveryQueue } from "@countersign/core/webhooks"
import { Effect, Layer, Option } from "effect"
import { claimDeliveries } from "./claimDeliveries.ts"
import { releaseAll } from "./claims.ts"
import { Db } from "./Db.ts"
import { recordDelivery } from "./recordDelivery.ts"
import { SecretKeys } from "./secrets/index.ts"

export const layer = Layer.effect(
  WebhookDeliveryQueue,
  Effect.gen(function* () {
    const db = yield* Db
    return WebhookDeliveryQueue.of({
      claim: claimDeliveries(db, yield* SecretKeys),
      keepBody: Effect.fnUntraced(function* (eventId, body) {
        yield* db.run(db.query.updateTable("events").set({ body }).where("id", "=", eventId).where("body", "is", null))
        const row = yield* db.first(db.query.selectFrom("events").select("body").where("id", "=", eventId))
        return Option.getOrNull(row)?.body ?? body
      }),
      record: recordDelivery(db),
      release: (id, worker) =>
        Effect.asVoid(
          db.run(
            db.query
              .updateTable("webhook_deliveries")
              .set({ claimed_by: null, claimed_until: null })
              .where("id", "=", id)
              .where("claimed_by", "=", worker)
          )
        ),
      releaseAll: Effect.asVoid(releaseAll(db, "webhook_deliveries"))
    })
  })
)
