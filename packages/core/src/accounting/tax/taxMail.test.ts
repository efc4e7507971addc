import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Redacted, Schema } from "effect"
import { dataSetOf } from "./dataSetOf.ts"
import { periodOf } from "./Period.ts"
import { EmailCustomization } from "./TaxRequests.ts"
import { aTaxFixture, ETH, EVIL, tokenMovement } from "./taxHistory.fixture.ts"
import { taxMail } from "./taxMail.ts"

const mailOf = (customization: EmailCustomization, month = "2026-10") => {
  const { account, add, layer, projectId } = aTaxFixture()
  add(`${month}-05T12:00:00Z`, "CRYPTO_DEPOSIT", tokenMovement("IN", "1", ETH), tokenMovement("IN", "1", EVIL))
  return Effect.map(dataSetOf(projectId, account, periodOf(month, "America/Sao_Paulo")), (dataSet) =>
    taxMail(dataSet, {
      key: "tax_1",
      at: DateTime.makeUnsafe(0),
      to: Redacted.make("somebody@example.com"),
      customization
    })
  ).pipe(Effect.provide(layer))
}

describe("taxMail", () => {
  it.effect("contains the files, and reports the number of values without a source", () =>
    Effect.gen(function* () {
      const mail = yield* mailOf({})
      assert.match(mail.subject, /^Tax export of 2026-10 for wallet 0x/u)
      assert.include(mail.text, "1 of the movements have no value in USD or in BRL")
      assert.deepStrictEqual(
        mail.attachments.map(({ name }) => name),
        ["2026-10-movements.csv", "2026-10-balances.csv", "2026-10-lots.csv", "2026-10-koinly.csv"]
      )
      assert.isNull(mail.senderName)
      // The instruction was revoked on 1 July 2026.
      assert.include((yield* mailOf({}, "2026-06")).attachments.map(({ name }) => name).join(), "in1888.txt")
    })
  )

  it.effect("uses the requested language, texts and logo", () =>
    Effect.gen(function* () {
      const mail = yield* mailOf({
        subject: "Seu relatório",
        senderName: "Banco",
        replyTo: "ajuda@example.com",
        locale: "pt-BR",
        introText: "Olá,\ntudo <b>bem</b>?",
        logoUrl: 'https://example.com/a.png?x="><script>'
      })
      assert.strictEqual(mail.subject, "Seu relatório")
      assert.strictEqual(mail.replyTo, "ajuda@example.com")
      assert.include(mail.text, "Movimentações: 2")
      assert.include(mail.text, "tudo <b>bem</b>?")
      assert.include(mail.html, "Olá,<br>tudo &lt;b&gt;bem&lt;/b&gt;?")
      assert.include(mail.html, 'src="https://example.com/a.png?x=&quot;&gt;&lt;script&gt;"')
      assert.notInclude(mail.html, "<script>")
    })
  )
})

describe("EmailCustomization", () => {
  const isCustomization = Schema.is(EmailCustomization)
  it.each([
    { subject: "Your taxes of October – ção 🪙" },
    { introText: "a\r\nb" },
    { logoUrl: "https://example.com/logo.png" },
    { replyTo: "a+b@example.co.uk" },
    {}
  ])("takes %j", (customization) => assert.isTrue(isCustomization(customization)))
  it.each([
    { subject: "a\r\nBcc: all@example.com" },
    { subject: "a\nb" },
    { subject: "" },
    { subject: "x".repeat(151) },
    { senderName: "Bank\r\nX: y" },
    { senderName: "x".repeat(81) },
    { replyTo: "a@example.com, b@example.com" },
    { replyTo: "a@example.com\r\nBcc: b@example.com" },
    { replyTo: '"a b"@example.com' },
    { replyTo: "a@b" },
    { locale: "fr" },
    { introText: "a\u0000b" },
    { introText: "a\u2066b" },
    { subject: "Report \u202Efdp.exe" },
    { senderName: "Bank\u2028X-Evil: 1" },
    { introText: "x".repeat(2_001) },
    { logoUrl: "http://example.com/logo.png" },
    { logoUrl: "javascript:alert(1)" },
    { logoUrl: "https://exa mple.com" },
    { logoUrl: `https://example.com/${"x".repeat(500)}` }
  ])("rejects %j", (customization) => assert.isFalse(isCustomization(customization)))
})
