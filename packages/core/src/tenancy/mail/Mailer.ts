import { Context, type DateTime, type Effect, type Redacted, Schema } from "effect"

/** A file that is attached to a mail. */
export interface Attachment {
  /** Letters, digits, points and hyphens. */
  readonly name: string
  readonly contentType: string
  readonly content: string
}

export interface Mail {
  /**
   * Equal for all attempts to send this mail. The Message-ID contains the key, so that receivers can detect duplicates.
   */
  readonly key: string
  readonly at: DateTime.Utc
  readonly to: Redacted.Redacted<string>
  /** Display name of the sender; null if there is none. The sender's address is a setting. */
  readonly senderName: string | null
  readonly replyTo: string | null
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments: ReadonlyArray<Attachment>
}

/** No server has accepted the mail. */
export class MailNotSent extends Schema.TaggedError<MailNotSent>("core/mail/MailNotSent")("MailNotSent", {
  /** Contains neither addresses nor the server's response, which may include addresses. */
  reason: Schema.String,
  /** The receiver's server rejected the mail permanently. */
  isPermanent: Schema.Boolean
}) {
  override get message(): string {
    return this.reason
  }
}

/** Sends mail. */
export class Mailer extends Context.Service<
  Mailer,
  {
    /** Why the mailer can't send any mail; null if it can. */
    readonly problem: string | null
    /** Sends a mail. Succeeds once a server has accepted responsibility for it. */
    readonly send: (mail: Mail) => Effect.Effect<void, MailNotSent>
  }
>()("@countersign/core/mail/Mailer") {}
