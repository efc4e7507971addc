import { ProviderRegistration, ProviderRegistrationStore, type StoredRegistration } from "@countersign/core/fiat"
import type { ProjectId } from "@countersign/core/tenancy/projects"
import { Effect, Layer } from "effect"
import { sql } from "kysely"
import { claimDue, nextCheckAt } from "./claims.ts"
import { Instant, instantOf, Json, millisOf, millisOrNull, rowCodec } from "./codec.ts"
import { Db } from "./Db.ts"

const registrationRow = rowCodec(ProviderRegistration, {
  fields: Json(ProviderRegistration.fields.fields),
  createdAt: Instant,
  updatedAt: Instant
})

type Row = Parameters<typeof registrationRow.fromRow>[0]

const storedRegistrationOf = ({
  sealed,
  ...columns
}: Row & { readonly sealed: string | null }): StoredRegistration => ({
  registration: registrationRow.fromRow(columns),
  sealed
})

export const layer = Layer.effect(
  ProviderRegistrationStore,
  Effect.gen(function* () {
    const db = yield* Db
    const { query } = db
    const identityKey = (projectId: ProjectId, identityId: string) => ({
      project_id: projectId,
      identity_id: identityId
    })

    return ProviderRegistrationStore.of({
      store: ({ registration, sealed }, checkAt) => {
        const row = { ...registrationRow.rowOf(registration), sealed, check_at: millisOf(checkAt), leased_until: null }
        return Effect.andThen(
          db.run(
            query
              .insertInto("provider_registrations")
              .values(row)
              .onConflict((conflict) => conflict.columns(["project_id", "identity_id", "provider"]).doUpdateSet(row))
          ),
          db.announce("PROVIDER_REGISTRATIONS", millisOf(checkAt))
        )
      },
      listByIdentity: (projectId, identityId) =>
        Effect.map(
          db.all(
            query
              .selectFrom("provider_registrations")
              .select([...registrationRow.columns, "sealed"])
              .where(({ and }) => and(identityKey(projectId, identityId)))
              .orderBy("provider")
          ),
          (rows) => rows.map(storedRegistrationOf)
        ),
      recordOutcome: (registration, dueAt, checkAt) => {
        const row = registrationRow.rowOf(registration)
        const { attempt, fields, identity_id, project_id, provider, reason, session_id, status, updated_at } = row
        const updateRegistration = Effect.map(
          db.run(
            query
              .updateTable("provider_registrations")
              .set({
                status,
                reason,
                fields,
                updated_at,
                leased_until: null,
                check_at: nextCheckAt(millisOf(dueAt), millisOrNull(checkAt))
              })
              .where(({ and }) => and({ identity_id, project_id, provider, attempt, session_id }))
          ),
          (changedCount) => changedCount === 1
        )
        // The registration is due immediately if it was woken during the check.
        return Effect.tap(updateRegistration, () => db.announce("PROVIDER_REGISTRATIONS", 0))
      },
      claimDue: Effect.fnUntraced(function* (now, until, limit, identity) {
        const rows = yield* db.all(
          claimDue<Row & { readonly sealed: string | null; readonly check_at: number }>(db, "provider_registrations", {
            limit,
            now: millisOf(now),
            until: millisOf(until),
            // An identity has only a few registrations, which the primary key finds.
            ...(identity === null
              ? {}
              : {
                  condition: sql`project_id = ${identity.projectId} and identity_id = ${identity.identityId}`,
                  order: sql`provider`
                }),
            returning: [...registrationRow.columns, "sealed", "check_at"]
          })
        )
        return rows
          .toSorted((a, b) => a.check_at - b.check_at)
          .map(({ check_at, ...row }) => ({ ...storedRegistrationOf(row), dueAt: instantOf(check_at) }))
      }),
      wake: Effect.fnUntraced(function* (provider, customer, now) {
        const linkedIndividuals = yield* db.all(
          query
            .selectFrom("provider_customers")
            .select(["project_id", "individual_id"])
            .where(({ and }) => and({ provider, customer }))
        )
        const updatedCounts = yield* Effect.forEach(linkedIndividuals, ({ individual_id, project_id }) =>
          db.run(
            query
              .updateTable("provider_registrations")
              .set({ check_at: millisOf(now) })
              .where(({ and }) => and({ project_id, identity_id: individual_id, provider }))
          )
        )
        const hasUpdates = updatedCounts.some((count) => count > 0)
        if (hasUpdates) yield* db.announce("PROVIDER_REGISTRATIONS", millisOf(now))
        return hasUpdates
      }),
      erase: (projectId, identityId) =>
        Effect.asVoid(
          db.run(query.deleteFrom("provider_registrations").where(({ and }) => and(identityKey(projectId, identityId))))
        ),
      countPending: Effect.map(
        Effect.forEach(["ACTION_REQUIRED", "PENDING", "REJECTED"] as const, (status) =>
          Effect.map(
            db.all(
              query
                .selectFrom("provider_registrations")
                .select(({ fn }) => ["provider", fn.countAll<number>().as("count"), fn.min("updated_at").as("oldest")])
                .where("status", "=", status)
                .groupBy("provider")
                .orderBy("provider")
            ),
            (rows) =>
              rows.map(({ count, oldest, provider }) => ({
                provider,
                status,
                count: Number(count),
                oldestAt: instantOf(Number(oldest))
              }))
          )
        ),
        (waits) => waits.flat()
      )
    })
  })
)
