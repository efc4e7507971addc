import { RateLimitStore } from "@countersign/core/tenancy/metering"
import { Effect, Layer } from "effect"
import { Db } from "./Db.ts"

export const layer = Layer.effect(
  RateLimitStore,
  Effect.gen(function* () {
    const db = yield* Db
    const count = db.prepare((query, { keyId, windowStart }: { keyId: string; windowStart: number }) =>
      query
        .insertInto("rate_counts")
        .values({ key_id: keyId, window_start: windowStart, requests: 1 })
        .onConflict((conflict) =>
          conflict
            .columns(["key_id", "window_start"])
            .doUpdateSet((row) => ({ requests: row("rate_counts.requests", "+", 1) }))
        )
        .returning("requests")
    )
    return RateLimitStore.of({
      count: (keyId, windowStart) => Effect.map(count({ keyId, windowStart }), ([row]) => row!.requests)
    })
  })
)
