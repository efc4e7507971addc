import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { Webhook } from "standardwebhooks"
import { signedHeaders, TOLERANCE_SECONDS, verificationProblem } from "./standardWebhooks.ts"

const secretOf = (bytes: Uint8Array) => Redacted.make(`whsec_${Buffer.from(bytes).toString("base64")}`)
const secret = secretOf(new Uint8Array(32).fill(7))
const otherSecret = secretOf(new Uint8Array(24).fill(9))
const nowSeconds = () => Math.floor(Date.now() / 1000)

describe("signedHeaders", () => {
  it("signs as in the specification's example", () => {
    const headers = signedHeaders(
      [Redacted.make("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")],
      "msg_p5jXN8AQM9LWM0D4loKWxJek",
      1_614_265_330,
      '{"test": 2432232314}'
    )
    assert.deepStrictEqual(headers, {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    })
  })

  it.effect.prop(
    "has a signature that the reference library verifies, for any text",
    { text: Schema.String },
    ({ text }) =>
      Effect.sync(() => {
        const body = JSON.stringify({ text })
        const headers = signedHeaders([secret], "msg_1", nowSeconds(), body)
        assert.deepStrictEqual(new Webhook(Redacted.value(secret)).verify(body, headers), JSON.parse(body))
      })
  )

  it("can be verified with each of several secrets, and with no other", () => {
    const headers = signedHeaders([secret, otherSecret], "msg_1", nowSeconds(), "{}")
    assert.match(headers["webhook-signature"], /^v1,\S{44} v1,\S{44}$/u)
    for (const validSecret of [secret, otherSecret]) new Webhook(Redacted.value(validSecret)).verify("{}", headers)
    const otherWebhook = new Webhook(Redacted.value(secretOf(new Uint8Array(32))))
    assert.throws(() => otherWebhook.verify("{}", headers))
  })
})

describe("verificationProblem", () => {
  const body = '{"a":1}'
  const headers = signedHeaders([otherSecret, secret], "msg_1", 1_000_000, body)

  it("is missing for a genuine delivery, signed by us or by the reference library", () => {
    assert.isNull(verificationProblem(secret, headers, body, 1_000_000 + TOLERANCE_SECONDS))
    const signedAt = new Date(1_000_000_000)
    const officialHeaders = {
      ...headers,
      "webhook-signature": new Webhook(Redacted.value(secret)).sign("msg_1", signedAt, body)
    }
    assert.isNull(verificationProblem(secret, officialHeaders, body, 1_000_000))
  })

  it.each([
    ["a changed body", headers, `${body} `, 1_000_000],
    ["another id", { ...headers, "webhook-id": "msg_2" }, body, 1_000_000],
    ["another timestamp", { ...headers, "webhook-timestamp": "1000001" }, body, 1_000_000],
    ["a timestamp that is not a number", { ...headers, "webhook-timestamp": "1000000abc" }, body, 1_000_000],
    ["no signature", { ...headers, "webhook-signature": undefined }, body, 1_000_000],
    [
      "a truncated signature",
      { ...headers, "webhook-signature": headers["webhook-signature"].slice(0, 20) },
      body,
      1e6
    ],
    ["an old timestamp", headers, body, 1_000_000 + TOLERANCE_SECONDS + 1],
    ["a timestamp in the future", headers, body, 1_000_000 - TOLERANCE_SECONDS - 1]
  ])("exists for %s", (_, given, text, now) => {
    assert.isNotNull(verificationProblem(secret, given, text, now))
  })
})
