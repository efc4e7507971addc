import { WorkClaims } from "@countersign/core/foundation/work"
import { Effect, Layer } from "effect"
import { releaseAll } from "./claims.ts"
import { Db } from "./Db.ts"

export const layer = Layer.effect(
  WorkClaims,
  Effect.map(Db, (db) => WorkClaims.of({ releaseAll: releaseAll(db) }))
)
