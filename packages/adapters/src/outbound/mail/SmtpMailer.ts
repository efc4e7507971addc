import type { ConnectionOptions } from "node:tls"
import { Mailer, MailNotSent } from "@countersign/core/tenancy/mail"
import { Effect, Layer, Redacted } from "effect"
import { composeMail } from "./composeMail.ts"

export interface SmtpOptions {
  /** `smtps://user:password@host:465`, or `smtp://…:587` with STARTTLS. */
  readonly url: Redacted.Redacted<string>
  /** Sender address. */
  readonly from: string
  /** TLS options, such as certificates that the system does not trust. */
  readonly tls?: ConnectionOptions
}

const CONNECT_MS = 15_000
/** Maximum time without data from the server, in milliseconds. */
const SILENCE_MS = 60_000

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/u.test(host)

/** Builds the connection options. TLS is required, except on the loopback interface. */
export const connectionOf = ({ tls, url }: SmtpOptions) => {
  const { hostname, password, port, protocol, username } = new URL(Redacted.value(url))
  const isSecure = protocol === "smtps:"
  return {
    host: hostname.replace(/^\[|\]$/gu, ""),
    port: port === "" ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    requireTLS: !(isSecure || isLoopback(hostname)),
    ...(username === "" ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...(tls === undefined ? {} : { tls }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true
  }
}

const reasons: Readonly<Record<string, string>> = {
  EDNS: "the name of the mail server could not be resolved",
  ECONNECTION: "the mail server closed the connection",
  ESOCKET: "the mail server could not be reached",
  ETIMEDOUT: "the mail server did not respond in time",
  ETLS: "the mail server offers no supported TLS",
  EAUTH: "the mail server rejected the service's user name or password"
}

/** Converts a failure. Uses only status codes, because the server's text may contain the email address. */
export const mailNotSent = (thrown: unknown): MailNotSent => {
  const { code, command, responseCode } = Object(thrown) as Readonly<Record<string, unknown>>
  const knownReason = reasons[String(code)]
  if (knownReason !== undefined && (code === "EAUTH" || typeof responseCode !== "number")) {
    return new MailNotSent({ reason: knownReason, isPermanent: false })
  }
  if (typeof responseCode !== "number") return new MailNotSent({ reason: "the mail server failed", isPermanent: false })
  const isOfReceiver = command === "RCPT TO" || command === "DATA"
  return new MailNotSent({
    reason: `the mail server rejected ${command === "RCPT TO" ? "the recipient" : "the email"} with SMTP status ${responseCode}`,
    isPermanent: isOfReceiver && responseCode >= 500 && responseCode < 600
  })
}

/** Sends emails to a mail server. Opens a connection for each email, because emails are rare. */
export const layer = (options: SmtpOptions): Layer.Layer<Mailer> =>
  Layer.succeed(
    Mailer,
    Mailer.of({
      problem: null,
      send: (mail) =>
        Effect.asVoid(
          Effect.tryPromise({
            try: async () => {
              const { createTransport } = await import("nodemailer")
              const transport = createTransport(connectionOf(options))
              try {
                await transport.sendMail(composeMail(mail, options.from))
              } finally {
                transport.close()
              }
            },
            catch: mailNotSent
          })
        )
    })
  )
