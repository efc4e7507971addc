import { aMail, mailerContract } from "@countersign/core/contracts/tenancy/mail/Mailer"
import { Mailer } from "@countersign/core/tenancy/mail"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { afterAll, afterEach } from "vitest"
import { MAIL_PASSWORD, MAIL_USER, startMailServer } from "../../../test/mail/testMailServer.ts"
import { connectionOf, layer, mailNotSent, type SmtpOptions } from "./SmtpMailer.ts"

const server = await startMailServer()
const secureServer = await startMailServer({ tls: true, auth: true })
afterEach(() => server.refuse(null))
afterAll(() => Promise.all([server.close(), secureServer.close()]))

const options = (url: string, more: Partial<SmtpOptions> = {}): SmtpOptions => ({
  url: Redacted.make(url),
  from: "tax@countersign.example",
  ...more
})

/** Accepts the server's self-signed certificate. */
const anyCertificate = { tls: { rejectUnauthorized: false } }

const send = (smtpOptions: SmtpOptions, mail = aMail()) =>
  Mailer.use((mailer) => mailer.send(mail)).pipe(Effect.provide(layer(smtpOptions)))

const login = (password: string) => `smtp://${MAIL_USER}:${encodeURIComponent(password)}@127.0.0.1:${secureServer.port}`

mailerContract("SMTP", layer(options(server.url)), (key) =>
  Effect.sync(() => server.mails.filter(({ messageId }) => messageId.includes(key)))
)

describe("SmtpMailer", () => {
  it.effect("sends from the configured address", () =>
    Effect.gen(function* () {
      yield* send(options(server.url))
      const mail = server.mails.at(-1)
      assert.strictEqual(mail?.from.address, "tax@countersign.example")
      assert.match(mail?.messageId ?? "", /^<tax_\w+@countersign\.example>$/u)
    })
  )

  it.effect("authenticates over STARTTLS, with any character in the password", () =>
    Effect.gen(function* () {
      yield* send(options(login(MAIL_PASSWORD), anyCertificate))
      assert.deepStrictEqual(secureServer.sessions.at(-1), { isSecure: true, user: MAIL_USER })
    })
  )

  it.effect("rejects a self-signed certificate", () =>
    Effect.gen(function* () {
      const countBefore = secureServer.mails.length
      const error = yield* Effect.flip(send(options(login(MAIL_PASSWORD))))
      assert.isFalse(error.isPermanent)
      assert.strictEqual(secureServer.mails.length, countBefore)
    })
  )

  it.effect("fails temporarily with a wrong password", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(send(options(login("wrong"), anyCertificate)))
      assert.deepStrictEqual(
        [error.isPermanent, error.reason],
        [false, "the mail server rejected the service's user name or password"]
      )
    })
  )

  it.effect.each([
    ["RCPT TO", 451, false, "the mail server rejected the recipient with SMTP status 451"],
    ["RCPT TO", 550, true, "the mail server rejected the recipient with SMTP status 550"],
    ["DATA", 452, false, "the mail server rejected the email with SMTP status 452"],
    ["DATA", 554, true, "the mail server rejected the email with SMTP status 554"],
    // The server rejects the sender address, which the operator must correct.
    ["MAIL FROM", 550, false, "the mail server rejected the email with SMTP status 550"]
  ] as const)("fails if the server rejects %s with %d; permanently: %s", ([to, code, isPermanent, reason]) =>
    Effect.gen(function* () {
      server.refuse({ to, code })
      const error = yield* Effect.flip(send(options(server.url)))
      assert.deepStrictEqual([error.isPermanent, error.reason], [isPermanent, reason])
      assert.notInclude(JSON.stringify(error), "somebody@example.com")
    })
  )

  it.effect("fails temporarily if there is no server", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(send(options("smtp://127.0.0.1:1")))
      assert.deepStrictEqual([error.isPermanent, error.reason], [false, "the mail server could not be reached"])
    })
  )

  it("sends no password over an unencrypted network", () => {
    const optionsOf = (url: string) => {
      const { port, requireTLS, secure } = connectionOf(options(url))
      return { port, requireTLS, secure }
    }
    assert.deepStrictEqual(optionsOf("smtp://a:b@mail.example.com"), { port: 587, requireTLS: true, secure: false })
    assert.deepStrictEqual(optionsOf("smtps://a:b@mail.example.com"), { port: 465, requireTLS: false, secure: true })
    assert.deepStrictEqual(optionsOf("smtp://127.0.0.1:25"), { port: 25, requireTLS: false, secure: false })
    assert.isTrue(optionsOf("smtp://127.0.0.1.example.com").requireTLS)
  })

  it("reports defects", () => {
    assert.deepStrictEqual(mailNotSent(new Error("somebody@example.com")).reason, "the mail server failed")
  })
})
