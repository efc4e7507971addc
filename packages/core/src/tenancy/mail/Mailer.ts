import { Context, type DateTime, type Effect, type Redacted, Schema } from "effect"

/** A file that is attached to an email. */
export interface Attachment {
  /** Letters, digits, dots and hyphens. */
  readonly name: string
  readonly contentType: string
  readonly content: string
}

export interface Mail {
  /**
   * The same for all attempts to send this email. The Message-ID contains it, so that receivers can detect duplicates.
   */
  readonly key: string
  readonly at: DateTime.Utc
  readonly to: Redacted.Redacted<string>
  /** Display name of the sender. Null if there is none. The sender's email address is a setting. */
  readonly senderName: string | null
  readonly replyTo: string | null
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments: ReadonlyArray<Attachment>
}

/** No mail server has accepted the email. */
export class MailNotSent extends Schema.TaggedError<MailNotSent>("core/mail/MailNotSent")("MailNotSent", {
  /** It contains neither email addresses nor the server's response, which may include email addresses. */
  reason: Schema.String,
  /** Whether the receiver's server rejected the email permanently. */
  isPermanent: Schema.Boolean
}) {
  override get message(): string {
    return this.reason
  }
}

/** Sends emails. */
export class Mailer extends Context.Service<
  Mailer,
  {
    /** Why the mailer can't send any email. Null if it can. */
    readonly problem: string | null
    /** Sends an email. Succeeds when a server has accepted responsibility for it. */
    readonly send: (mail: Mail) => Effect.Effect<void, MailNotSent>
  }
>()("@countersign/core/mail/Mailer") {}
