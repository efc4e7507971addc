import { Effect, Predicate } from "effect"
import { Db } from "../Db.ts"
import { secretsEncryptionContext, subjectKeyEncryptionContext } from "./encryptionContext.ts"
import { currentPrefix, openText, type SecretKey, type SecretKeyMissing, SecretKeys, sealText } from "./sealing.ts"

/** Encrypts the text of a row again, with the current key. */
const reseal = (keys: ReadonlyArray<SecretKey>, context: string, text: string) =>
  Effect.try({
    try: () => sealText(keys, context, openText(keys, context, text)),
    catch: (cause) => cause
  }).pipe(
    Effect.catch((cause) =>
      Predicate.isTagged(cause, "SECRET_KEY_MISSING") ? Effect.fail(cause as SecretKeyMissing) : Effect.die(cause)
    )
  )

/**
 * Encrypts stored secrets of earlier keys with the current key, so that the earlier keys can be removed from the
 * settings. Fails if a key is missing, because otherwise each delivery would fail. A row that another process changes
 * in the meantime is already encrypted with the current key.
 */
export const resealSecrets = Effect.gen(function* () {
  const db = yield* Db
  const keys = yield* SecretKeys
  const currentPattern = `${currentPrefix(keys)}%`
  const endpoints = yield* db.all(
    db.query
      .selectFrom("webhook_endpoints")
      .select(["id", "project_id", "secrets"])
      .where("secrets", "not like", currentPattern)
  )
  for (const row of endpoints) {
    const secrets = yield* reseal(keys, secretsEncryptionContext(row), row.secrets)
    yield* db.run(
      db.query
        .updateTable("webhook_endpoints")
        .set({ secrets })
        .where(({ and }) => and({ project_id: row.project_id, id: row.id, secrets: row.secrets }))
    )
  }
  for (const table of ["subject_keys", "moved_subject_keys"] as const) {
    const subjects = yield* db.all(
      db.query.selectFrom(table).select(["id", "secrets"]).where("secrets", "not like", currentPattern)
    )
    for (const { id, secrets: previousSecrets } of subjects) {
      const secrets = yield* reseal(keys, subjectKeyEncryptionContext(id), previousSecrets)
      yield* db.run(
        db.query
          .updateTable(table)
          .set({ secrets })
          .where(({ and }) => and({ id, secrets: previousSecrets }))
      )
    }
  }
})
