import { randomBytes } from "node:crypto"
import { Effect, Layer, Redacted } from "effect"
import { sql } from "kysely"
import { Db } from "./Db.ts"
import { purgeErased, recordErasure } from "./purgeErased.ts"
import { SubjectKeys } from "./SubjectKeys.ts"
import { openText, SecretKeyNotSet, SecretKeys, sealText, subjectKeyEncryptionContext } from "./secrets/index.ts"

const KEY_BYTES = 32

/**
 * Stores each key in its own row, encrypted with the operator's key. Once the row is deleted, the service can't decrypt
 * data that were encrypted with the key.
 */
export const subjectKeys = Effect.gen(function* () {
  const db = yield* Db
  const keys = yield* SecretKeys

  const find = Effect.fnUntraced(function* (id: string) {
    const [row] = yield* db.all(
      db.query
        .selectFrom("subject_keys")
        .select("secrets")
        .where("id", "=", id)
        // During a purge this table contains some of the keys.
        .unionAll(db.query.selectFrom("moved_subject_keys").select("secrets").where("id", "=", id))
    )
    if (row === undefined) return null
    const text = openText(keys, subjectKeyEncryptionContext(id), row.secrets)
    return Redacted.make(new Uint8Array(Buffer.from(text, "base64")), { label: "subject key" })
  })

  return SubjectKeys.of({
    problem: keys.length === 0 ? new SecretKeyNotSet().message : null,
    find,
    ensure: Effect.fnUntraced(function* (id) {
      const existingKey = yield* find(id)
      if (existingKey !== null) return existingKey
      const secrets = sealText(keys, subjectKeyEncryptionContext(id), randomBytes(KEY_BYTES).toString("base64"))
      yield* db.run(
        db.query
          .insertInto("subject_keys")
          .columns(["id", "secrets"])
          .expression(
            sql<{ id: string; secrets: string }>`select ${id}, ${secrets}
              where not exists (select 1 from moved_subject_keys where id = ${id})`
          )
          .onConflict((conflict) => conflict.column("id").doNothing())
      )
      // A concurrent caller may have created the key first.
      return (yield* find(id))!
    }),
    erase: (id) =>
      db.transaction(
        Effect.gen(function* () {
          const removedCounts = yield* Effect.forEach(["subject_keys", "moved_subject_keys"] as const, (table) =>
            db.run(db.query.deleteFrom(table).where("id", "=", id))
          )
          if (removedCounts.every((count) => count === 0)) return false
          yield* recordErasure(db)
          return true
        })
      ),
    purge: purgeErased(db)
  })
})

export const layer = Layer.effect(SubjectKeys, subjectKeys)
