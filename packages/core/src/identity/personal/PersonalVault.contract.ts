import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { aUuid } from "../../foundation/primitives/ids.fixture.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { aSession } from "../sessions/VerificationSessionStore.contract.ts"
import { VerificationSessionStore } from "../sessions/VerificationSessionStore.ts"
import { PersonalVault } from "./PersonalVault.ts"

/** Access to the database that bypasses the service. */
export interface VaultFixture<R> {
  /** Returns the stored text of an identity's key. Null if no key is stored. */
  readonly keyTextOf: (identityId: string) => Effect.Effect<string | null, never, R>
  /** Reads all bytes of the database files, except a write-ahead log that the service can't truncate. */
  readonly fileBytes: Effect.Effect<Uint8Array, never, R>
}

const PEOPLE = 150
const PIECE_LENGTH = 48

/** Returns substrings of a text. They can be found even if the database splits the text across pages. */
const piecesOf = (text: string): ReadonlyArray<string> =>
  Array.from({ length: Math.floor(text.length / PIECE_LENGTH) }, (_, i) =>
    text.slice(i * PIECE_LENGTH, (i + 1) * PIECE_LENGTH)
  )

/** Contract tests that every `PersonalVault` must pass. */
export const personalVaultContract = <R, E>(
  name: string,
  layer: Layer.Layer<PersonalVault | VerificationSessionStore | UnitOfWork | R, E>,
  { fileBytes, keyTextOf }: VaultFixture<R>
): void => {
  withLayer(layer, { excludeTestServices: true })(`PersonalVault: ${name}`, (it) => {
    it.effect("decrypts what it encrypted, until the key is erased", () =>
      Effect.gen(function* () {
        const vault = yield* PersonalVault
        const [id, otherId] = [`ind_${aUuid()}`, `ind_${aUuid()}`]
        const sealedText = yield* vault.seal(id, "a person")
        assert.notInclude(sealedText, "person")
        assert.strictEqual(yield* vault.open(id, sealedText), "a person")
        assert.isNull(yield* vault.open(otherId, sealedText))
        assert.strictEqual(yield* vault.fingerprint("a"), yield* vault.fingerprint("a"))
        assert.notStrictEqual(yield* vault.fingerprint("a"), yield* vault.fingerprint("b"))
        assert.isTrue(yield* vault.erase(id))
        assert.isFalse(yield* vault.erase(id))
        assert.isNull(yield* vault.open(id, sealedText))
        yield* vault.seal(id, "a person")
        assert.isNull(yield* vault.open(id, sealedText))
      })
    )

    it.effect("removes an erased key from the database files, and keeps all other keys", () =>
      Effect.gen(function* () {
        const vault = yield* PersonalVault
        const store = yield* VerificationSessionStore
        const unitOfWork = yield* UnitOfWork
        const projectId = aProjectId()
        const people = yield* Effect.forEach(Array.from({ length: PEOPLE }), (_, index) =>
          Effect.gen(function* () {
            const session = aSession({ projectId, identityId: `ind_${aUuid()}` })
            const sealedText = yield* vault.seal(
              session.identityId,
              `person ${index} `.repeat(40 + ((index * 37) % 120))
            )
            yield* store.insert({ session, sealed: sealedText })
            return { session, sealed: sealedText, key: (yield* keyTextOf(session.identityId))! }
          })
        )
        // Rows whose size changes make the database move them between pages.
        for (let changeNumber = 1; changeNumber <= 5 * PEOPLE; changeNumber += 1) {
          const { session } = people[(changeNumber * 53) % PEOPLE]!
          yield* store.recordTransition(
            { ...session, reason: "x".repeat((changeNumber * 379) % 1_500) },
            session.status
          )
        }
        const isErased = (_: unknown, index: number) => index % 3 !== 0
        yield* Effect.forEach(people.filter(isErased), ({ session: { identityId } }) =>
          unitOfWork.run(Effect.andThen(store.erase(projectId, identityId), vault.erase(identityId)))
        )
        yield* vault.purge
        const files = Buffer.from(yield* fileBytes)
        const isInFiles = (text: string) => piecesOf(text).some((piece) => files.includes(piece))
        const keysInFiles = people.map(({ key: isKeyInFiles }) => ({ key: isInFiles(isKeyInFiles) }))
        assert.isEmpty(keysInFiles.filter(isErased).filter(({ key }) => key))
        assert.isEmpty(keysInFiles.filter((one, index) => !isErased(one, index)).filter(({ key }) => !key))
        for (const [index, { sealed, session }] of people.entries()) {
          const openedText = yield* vault.open(session.identityId, sealed)
          assert.strictEqual(openedText === null, isErased(null, index))
        }
      })
    )
  })
}
