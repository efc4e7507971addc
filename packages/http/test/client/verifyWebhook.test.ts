import { InvalidWebhookError, verifyWebhook } from "@countersign/http/client"
import { assert, describe, it } from "@effect/vitest"
import { Webhook } from "standardwebhooks"

/** Compares `verifyWebhook` with the reference library of Standard Webhooks. */

const secret = `whsec_${Buffer.from("a secret of at least 24 bytes").toString("base64")}`
const body = JSON.stringify({ type: "webhook.test", timestamp: "2026-01-01T00:00:00.000Z", data: { webhookId: "w" } })

const headersOf = (signingSecret = secret, at = new Date()) => ({
  "webhook-id": "msg_1",
  "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
  "webhook-signature": new Webhook(signingSecret).sign("msg_1", at, body)
})

const assertRefused = async (changes: Partial<Parameters<typeof verifyWebhook>[0]>) => {
  const rejection = await verifyWebhook({ body, headers: headersOf(), secret, ...changes }).then(
    () => null,
    (error: unknown) => error
  )
  assert.instanceOf(rejection, InvalidWebhookError)
}

describe("verifyWebhook", () => {
  it("returns the event for a valid signature, also among others, and for every type of headers", async () => {
    const headers = headersOf()
    const { "webhook-signature": signature } = headers
    const event = await verifyWebhook({ body, headers, secret })
    assert.strictEqual(event.type === "webhook.test" && event.data.webhookId, "w")
    await verifyWebhook({ body, headers: new Headers(headers), secret })
    const earlierSignatures = `v1,AAAA v1,a v2,x nonsense ${signature}`
    await verifyWebhook({ body, headers: { ...headers, "webhook-signature": earlierSignatures }, secret })
  })

  it("rejects another body, id, time or key, and a malformed signature", async () => {
    const headers = headersOf()
    await assertRefused({ body: `${body} ` })
    await assertRefused({ headers: { ...headers, "webhook-id": "msg_2" } })
    await assertRefused({
      headers: { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) }
    })
    await assertRefused({ headers: headersOf(`whsec_${Buffer.from("another secret of 24 bytes").toString("base64")}`) })
    for (const signature of [
      "",
      "v1",
      "v1,",
      "v1,%",
      "v1,a",
      "v1,a_==",
      headers["webhook-signature"].replace("v1", "v2")
    ]) {
      await assertRefused({ headers: { ...headers, "webhook-signature": signature } })
    }
    await assertRefused({ headers: {} })
  })

  it("rejects a timestamp too far in the past or the future", async () => {
    for (const seconds of [-301, 302])
      await assertRefused({ headers: headersOf(secret, new Date(Date.now() + seconds * 1000)) })
    await verifyWebhook({ body, headers: headersOf(secret, new Date(Date.now() - 400_000)), secret, tolerance: 500 })
  })
})
