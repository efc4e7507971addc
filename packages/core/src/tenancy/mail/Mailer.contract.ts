import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, type Layer, Redacted } from "effect"
import { aUuid } from "../../foundation/primitives/ids.fixture.ts"
import { type Mail, Mailer } from "./Mailer.ts"

/** An email in the receiver's mailbox. */
export interface ReceivedMail {
  readonly messageId: string
  readonly date: string
  readonly from: { readonly name: string; readonly address: string }
  readonly to: ReadonlyArray<string>
  readonly replyTo: ReadonlyArray<string>
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The names of the headers, in lower case. */
  readonly headers: ReadonlyArray<string>
  readonly attachments: ReadonlyArray<{ readonly name: string; readonly contentType: string; readonly content: string }>
}

export const aMail = (fields: Partial<Mail> = {}): Mail => ({
  key: `tax_${aUuid().replaceAll("-", "")}`,
  at: DateTime.makeUnsafe("2026-11-01T03:15:00Z"),
  to: Redacted.make("somebody@example.com"),
  senderName: null,
  replyTo: null,
  subject: "Tax export of 2026-10",
  text: "Attached.\n",
  html: "<!doctype html><p>Attached.</p>",
  attachments: [],
  ...fields
})

/** Contract tests that every `Mailer` must pass. `listReceived` returns the received copies of an email, the latest one last. */
export const mailerContract = <E>(
  name: string,
  mailer: Layer.Layer<Mailer, E>,
  listReceived: (key: string) => Effect.Effect<ReadonlyArray<ReceivedMail>>
): void => {
  layer(mailer)(`Mailer: ${name}`, (it) => {
    const sendMail = Effect.fnUntraced(function* (mail: Mail) {
      yield* Mailer.use(({ send }) => send(mail))
      const receivedMail = (yield* listReceived(mail.key)).at(-1)
      if (receivedMail === undefined) throw new Error("The mail has not arrived.")
      return receivedMail
    })

    it.effect("delivers the subject, the texts, the sender and the files unchanged, in any script", () =>
      Effect.gen(function* () {
        const content = 'a,"b"\r\n=1,ção 🪙\r\n.\r\n..\r\n'
        const mail = aMail({
          senderName: 'Banco "Ação", <x@y.example>',
          replyTo: "help@example.com",
          subject:
            "Relatório fiscal de outubro 🪙 with quite a few words, so that its header is folded over several lines",
          text: "Olá,\n.\nfrom the first line to the last\n",
          html: "<!doctype html><p>Olá &amp; adeus</p>",
          attachments: [{ name: "2026-10-koinly.csv", contentType: "text/csv; charset=utf-8", content }]
        })
        const receivedMail = yield* sendMail(mail)
        assert.deepStrictEqual(receivedMail.to, ["somebody@example.com"])
        assert.strictEqual(receivedMail.from.name, mail.senderName)
        assert.deepStrictEqual(receivedMail.replyTo, ["help@example.com"])
        assert.strictEqual(receivedMail.subject, mail.subject)
        assert.strictEqual(receivedMail.text.trim(), mail.text.trim())
        assert.strictEqual(receivedMail.html.trim(), mail.html)
        assert.deepStrictEqual(receivedMail.attachments, [
          { name: "2026-10-koinly.csv", contentType: "text/csv", content }
        ])
        assert.strictEqual(Date.parse(receivedMail.date), DateTime.toEpochMillis(mail.at))
      })
    )

    it.effect("uses the same Message-ID for a repeated email, and a different one for a different email", () =>
      Effect.gen(function* () {
        const mail = aMail()
        const firstMail = yield* sendMail(mail)
        assert.include(firstMail.messageId, mail.key)
        assert.strictEqual((yield* sendMail(mail)).messageId, firstMail.messageId)
        assert.notStrictEqual((yield* sendMail(aMail())).messageId, firstMail.messageId)
      })
    )

    it.effect("prevents header injection", () =>
      Effect.gen(function* () {
        const plainMail = yield* sendMail(aMail({ senderName: "a", replyTo: "help@example.com" }))
        const injectedMail = yield* sendMail(
          aMail({
            subject: "a\r\nBcc: all@example.com\r\n\r\nbody",
            senderName: "a\r\nX-Evil: 1",
            replyTo: "help@example.com"
          })
        )
        assert.deepStrictEqual(injectedMail.headers.toSorted(), plainMail.headers.toSorted())
        assert.deepStrictEqual(injectedMail.to, ["somebody@example.com"])
      })
    )
  })
}
