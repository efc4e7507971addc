import { Effect, Predicate } from "effect"
import { Db } from "../Db.ts"
import { placeOfSecrets } from "./placeOfSecrets.ts"
import { currentPrefix, opened, type SecretKeyMissing, SecretKeys, sealed } from "./sealing.ts"

/**
 * Seals with the current key what is stored under an earlier one, so that this can be taken out of the settings. Fails
 * where a key is missing: better now than with each delivery.
 */
export const resealSecrets = Effect.gen(function* () {
  const db = yield* Db
  const keys = yield* SecretKeys
  const rows = yield* db.all(
    db.query
      .selectFrom("webhook_endpoints")
      .select(["id", "project_id", "secrets"])
      .where("secrets", "not like", `${currentPrefix(keys)}%`)
  )
  for (const row of rows) {
    const place = placeOfSecrets(row)
    const text = yield* Effect.try({
      try: () => opened(keys, place, row.secrets),
      catch: (cause) => cause
    }).pipe(
      Effect.catch((cause) =>
        Predicate.isTagged(cause, "SECRET_KEY_MISSING") ? Effect.fail(cause as SecretKeyMissing) : Effect.die(cause)
      )
    )
    // Another process may have changed the row meanwhile, and has sealed it then.
    yield* db.run(
      db.query
        .updateTable("webhook_endpoints")
        .set({ secrets: sealed(keys, place, text) })
        .where("id", "=", row.id)
        .where("secrets", "=", row.secrets)
    )
  }
})
