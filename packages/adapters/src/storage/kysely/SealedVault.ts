import { createHmac } from "node:crypto"
import { PersonalVault } from "@countersign/core/identity"
import { Effect, Layer, Redacted } from "effect"
import { SubjectKeys } from "./SubjectKeys.ts"
import { openText, sealText, secretKeyOf } from "./secrets/index.ts"

/**
 * Key purpose for fingerprints. A plain hash would be insecure, because there are so few document numbers that all of
 * them can be tried.
 */
const FINGERPRINTS = "fingerprints"

/** Stores personal data encrypted by AES-256-GCM. Each text is bound to its identity. */
export const layer = Layer.effect(
  PersonalVault,
  Effect.gen(function* () {
    const keys = yield* SubjectKeys
    const encryptionContext = (identityId: string) => `personal data of ${identityId}`
    return PersonalVault.of({
      problem: keys.problem,
      seal: (identityId, text) =>
        Effect.map(keys.ensure(identityId), (key) =>
          sealText([secretKeyOf(Redacted.value(key))], encryptionContext(identityId), text)
        ),
      open: (identityId, text) =>
        Effect.map(keys.find(identityId), (key) => {
          if (key === null) return null
          const subjectKey = secretKeyOf(Redacted.value(key))
          // A text with another key id was encrypted with a key that was destroyed before this one was created.
          return text.startsWith(`sealed:${subjectKey.id}:`)
            ? openText([subjectKey], encryptionContext(identityId), text)
            : null
        }),
      fingerprint: (text) =>
        Effect.map(keys.ensure(FINGERPRINTS), (key) =>
          createHmac("sha256", Redacted.value(key)).update(text).digest("hex")
        ),
      erase: (identityId) => keys.erase(identityId),
      purge: keys.purge
    })
  })
)
