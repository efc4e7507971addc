import { UnitOfWork } from "@countersign/core/foundation/primitives"
import { Effect, Layer } from "effect"
import { Db } from "./Db.ts"

export const layer = Layer.effect(
  UnitOfWork,
  Effect.map(Db, (db) => UnitOfWork.of({ run: db.transaction }))
)
