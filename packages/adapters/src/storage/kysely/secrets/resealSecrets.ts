import { Effect, Predicate } from "effect"
import { Db } from "../Db.ts"
import { placeOfSecrets, placeOfSubjectKey } from "./placeOfSecrets.ts"
import { currentPrefix, opened, type SecretKey, type SecretKeyMissing, SecretKeys, sealed } from "./sealing.ts"

/** The text of a row under the current key. */
const resealed = (keys: ReadonlyArray<SecretKey>, place: string, text: string) =>
  Effect.try({
    try: () => sealed(keys, place, opened(keys, place, text)),
    catch: (cause) => cause
  }).pipe(
    Effect.catch((cause) =>
      Predicate.isTagged(cause, "SECRET_KEY_MISSING") ? Effect.fail(cause as SecretKeyMissing) : Effect.die(cause)
    )
  )

/**
 * Seals with the current key what is stored under an earlier one, so that this can be taken out of the settings. Fails
 * where a key is missing: better now than with each delivery. Another process may change a row meanwhile, and has sealed it
 * then.
 */
export const resealSecrets = Effect.gen(function* () {
  const db = yield* Db
  const keys = yield* SecretKeys
  const current = `${currentPrefix(keys)}%`
  const endpoints = yield* db.all(
    db.query
      .selectFrom("webhook_endpoints")
      .select(["id", "project_id", "secrets"])
      .where("secrets", "not like", current)
  )
  for (const row of endpoints) {
    const secrets = yield* resealed(keys, placeOfSecrets(row), row.secrets)
    yield* db.run(
      db.query
        .updateTable("webhook_endpoints")
        .set({ secrets })
        .where(({ and }) => and({ id: row.id, secrets: row.secrets }))
    )
  }
  for (const table of ["subject_keys", "moved_subject_keys"] as const) {
    const subjects = yield* db.all(
      db.query.selectFrom(table).select(["id", "secrets"]).where("secrets", "not like", current)
    )
    for (const { id, secrets: before } of subjects) {
      const secrets = yield* resealed(keys, placeOfSubjectKey(id), before)
      yield* db.run(
        db.query
          .updateTable(table)
          .set({ secrets })
          .where(({ and }) => and({ id, secrets: before }))
      )
    }
  }
})
