import { assert, describe, it } from "@effect/vitest"
import { DateTime, Redacted } from "effect"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { aSecret } from "./WebhookEndpoint.fixture.ts"
import { activeSecrets, rotateSecrets, SECRETS_MAX } from "./WebhookEndpoint.ts"

describe("rotatedSecrets", () => {
  const newSecret = Redacted.make("whsec_new")
  const startMs = DateTime.toEpochMillis(at(0))

  it("start with the new secret; the previous ones expire after the overlap", () => {
    const [currentSecret, expiringSecret] = [aSecret(), aSecret({ expiresAt: at(5_000) })]
    const secretsAfter = rotateSecrets([currentSecret, expiringSecret], newSecret, at(0), 60)
    assert.deepStrictEqual(
      secretsAfter.map(({ expiresAt, secret }) => [Redacted.value(secret), expiresAt]),
      [
        ["whsec_new", null],
        [Redacted.value(currentSecret.secret), DateTime.makeUnsafe(startMs + 60_000)],
        [Redacted.value(expiringSecret.secret), at(5_000)]
      ]
    )
    assert.strictEqual(activeSecrets(secretsAfter, at(59_999)).length, 2)
    assert.strictEqual(activeSecrets(secretsAfter, at(60_000)).length, 1)
  })

  it("contain only the new secret without an overlap, and never contain expired secrets", () => {
    const secretsAfter = rotateSecrets([aSecret(), aSecret({ expiresAt: at(-1) })], newSecret, at(0), 0)
    assert.strictEqual(secretsAfter.length, 1)
  })

  it("are limited to the newest secrets", () => {
    const secrets = Array.from({ length: 9 }, () => aSecret())
    const secretsAfter = rotateSecrets(secrets, newSecret, at(0), 60)
    assert.strictEqual(secretsAfter.length, SECRETS_MAX)
    assert.strictEqual(Redacted.value(secretsAfter[1]!.secret), Redacted.value(secrets[0]!.secret))
  })
})
