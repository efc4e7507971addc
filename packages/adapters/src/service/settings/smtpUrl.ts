import { EmailAddress } from "@countersign/core/tenancy/mail"
import { Config, Effect, Option, Redacted, Schema } from "effect"
import { SettingInvalid } from "./SettingInvalid.ts"

/** Whether a text is the URL of a mail server. */
export const isSmtpUrl = (text: string): boolean =>
  URL.canParse(text) && /^smtps?:$/u.test(new URL(text).protocol) && new URL(text).hostname !== ""

/** SMTP_URL, which stays wrapped, and MAIL_FROM, which it needs; null where there is no server. */
export const smtpOrNull = Effect.gen(function* () {
  const name = "SMTP_URL"
  const url = yield* Config.option(Config.Redacted(name))
  if (Option.isNone(url)) return null
  if (!isSmtpUrl(Redacted.value(url.value))) {
    return yield* new SettingInvalid({
      name,
      expected: "a URL: smtp://user:password@host:587, or smtps://…:465 for TLS from the start"
    })
  }
  const from = yield* Config.String("MAIL_FROM")
  if (Schema.is(EmailAddress)(from)) return { url: url.value, from }
  return yield* new SettingInvalid({ name: "MAIL_FROM", expected: "an e-mail address, such as tax@example.com" })
})
