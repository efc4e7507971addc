import { ComputeUnitStore } from "@countersign/core/tenancy/metering"
import { Effect, Layer } from "effect"
import { Db } from "./Db.ts"

export const layer = Layer.effect(
  ComputeUnitStore,
  Effect.gen(function* () {
    const db = yield* Db

    const selectRemainingUnits = db.prepare((query, { id }: { id: string }) =>
      query.selectFrom("projects").select("compute_units").where("id", "=", id)
    )

    const deductUnits = db.prepare((query, { id, units }: { id: string; units: number }) =>
      query
        .updateTable("projects")
        .set((row) => ({ compute_units: row("compute_units", "-", units) }))
        .where("id", "=", id)
        .where((row) => row.or([row("compute_units", ">=", units), row("compute_units", "is", null)]))
        .returning("id")
    )

    return ComputeUnitStore.of({
      readRemaining: (id) => Effect.map(selectRemainingUnits({ id }), ([row]) => row?.compute_units ?? null),
      deduct: (id, units) => Effect.map(deductUnits({ id, units }), (rows) => rows.length > 0),
      refund: (id, units) =>
        Effect.asVoid(
          db.run(
            db.query
              .updateTable("projects")
              .set((row) => ({ compute_units: row("compute_units", "+", units) }))
              .where("id", "=", id)
              .where("compute_units", "is not", null)
          )
        )
    })
  })
)
