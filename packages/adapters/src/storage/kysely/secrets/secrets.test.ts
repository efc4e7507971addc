import { randomBytes } from "node:crypto"
import { anEndpoint } from "@countersign/core/contracts/tenancy/webhooks/WebhookEndpointStore"
import { WebhookEndpointStore } from "@countersign/core/tenancy/webhooks"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { temporaryFile } from "../../../../test/support/databases.ts"
import { Db } from "../Db.ts"
import { layerSqlite } from "../index.ts"
import {
  openText,
  resealSecrets,
  type SecretKey,
  SecretKeys,
  sealText,
  secretKeyOf,
  secretKeysOrNull
} from "./index.ts"

const aKey = () => secretKeyOf(randomBytes(32))

describe("encrypted text", () => {
  it("can be decrypted only with its key and for its place", () => {
    const [first, second] = [aKey(), aKey()]
    const text = sealText([first, second], "row 1", "whsec_geheim")
    assert.notInclude(text, "geheim")
    assert.notStrictEqual(sealText([first], "row 1", "whsec_geheim"), text)
    assert.strictEqual(openText([second, first], "row 1", text), "whsec_geheim")
    assert.throws(() => openText([first], "row 2", text))
    assert.throws(() => openText([second], "row 1", text), new RegExp(`the key ${first.id}.*SECRETS_KEY`, "u"))
    const damagedText = `${text.slice(0, -2)}${text.endsWith("AA") ? "BB" : "AA"}`
    assert.throws(() => openText([first], "row 1", damagedText))
  })
})

describe("secretKeysOrNull", () => {
  it("parses only comma-separated 32-byte keys in base64", () => {
    const keys = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString("base64"))
    assert.deepStrictEqual(
      secretKeysOrNull(keys.join(" , "))?.map(({ bytes }) => Buffer.from(Redacted.value(bytes)).toString("base64")),
      keys
    )
    for (const invalidKeys of ["", "short", `${keys[0]},`, randomBytes(31).toString("base64")]) {
      assert.isNull(secretKeysOrNull(invalidKeys))
    }
  })

  it("does not print a key", () => {
    assert.notInclude(JSON.stringify(aKey()), '"bytes":{')
  })
})

describe("the secrets of webhooks in a database", () => {
  const withDatabase =
    (filename: string, keys: ReadonlyArray<SecretKey>) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>) => {
      const layerKeys = Layer.succeed(SecretKeys, keys)
      return Effect.provide(effect, Layer.fresh(layerSqlite(filename)).pipe(Layer.provideMerge(layerKeys)))
    }
  const storedText = Effect.gen(function* () {
    const db = yield* Db
    const [row] = yield* db.all(db.query.selectFrom("webhook_endpoints").select("secrets"))
    return row!.secrets
  })

  it.effect("are encrypted, and encrypted again with another key", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const [first, second] = [aKey(), aKey()]
      const endpoint = anEndpoint()
      const secret = Redacted.value(endpoint.secrets[0]!.secret)
      const store = WebhookEndpointStore
      const findEndpoint = Effect.flatMap(store, ({ find }) => find(endpoint.projectId, endpoint.id))

      yield* Effect.gen(function* () {
        yield* (yield* store).insert(endpoint)
        const text = yield* storedText
        assert.include(text, `sealed:${first.id}:`)
        assert.notInclude(text, secret)
        assert.deepStrictEqual(yield* findEndpoint, Option.some(endpoint))
        yield* resealSecrets
        assert.strictEqual(yield* storedText, text)
      }).pipe(withDatabase(file, [first]))

      yield* Effect.gen(function* () {
        yield* resealSecrets
        assert.include(yield* storedText, `sealed:${second.id}:`)
      }).pipe(withDatabase(file, [second, first]))

      const failure = yield* resealSecrets.pipe(Effect.flip, withDatabase(file, [first]))
      assert.strictEqual(failure._tag, "SECRET_KEY_MISSING")
      yield* Effect.gen(function* () {
        yield* resealSecrets
        assert.deepStrictEqual(yield* findEndpoint, Option.some(endpoint))
      }).pipe(withDatabase(file, [second]))
    })
  )
})
