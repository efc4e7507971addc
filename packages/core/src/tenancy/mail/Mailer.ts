import { Context, type DateTime, type Effect, type Redacted, Schema } from "effect"

/** A file that a mail brings along. */
export interface Attachment {
  /** Letters, digits, points and hyphens. */
  readonly name: string
  readonly contentType: string
  readonly content: string
}

export interface Mail {
  /** The same for every attempt to send this mail: its Message-ID has it, so that one which arrives twice is seen as one. */
  readonly key: string
  readonly at: DateTime.Utc
  readonly to: Redacted.Redacted<string>
  /** Shown beside the address of the sender, which is a setting; null for none. */
  readonly senderName: string | null
  readonly replyTo: string | null
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments: ReadonlyArray<Attachment>
}

/** A mail that nobody took over. */
export class MailNotSent extends Schema.TaggedError<MailNotSent>("core/mail/MailNotSent")("MailNotSent", {
  /** Without addresses, and without the words of a server, which may repeat them. */
  reason: Schema.String,
  /** The receiver's server refuses it for good. */
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
    /** Why no mail can be sent from here at all; null where it can. */
    readonly problem: string | null
    /** Answers once somebody else is responsible for the mail. */
    readonly send: (mail: Mail) => Effect.Effect<void, MailNotSent>
  }
>()("@countersign/core/mail/Mailer") {}
