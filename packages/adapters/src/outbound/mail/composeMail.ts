import { Buffer } from "node:buffer"
import type { Mail } from "@countersign/core/tenancy/mail"
import { DateTime, Redacted } from "effect"

const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1)

/**
 * Composes an email deterministically: Message-ID, date and part boundaries derive from its content, so the same email
 * always has the same bytes.
 */
export const composeMail = (mail: Mail, from: string) => ({
  from: { name: mail.senderName ?? "", address: from },
  to: { name: "", address: Redacted.value(mail.to) },
  ...(mail.replyTo === null ? {} : { replyTo: { name: "", address: mail.replyTo } }),
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  attachments: mail.attachments.map(({ content, contentType, name }) => ({
    filename: name,
    contentType,
    content: Buffer.from(content),
    contentTransferEncoding: "base64" as const
  })),
  messageId: `<${mail.key}@${domainOf(from)}>`,
  date: new Date(DateTime.toEpochMillis(mail.at)),
  baseBoundary: mail.key,
  // Prevents out-of-office replies and other automatic replies.
  headers: { "Auto-Submitted": "auto-generated" },
  disableFileAccess: true,
  disableUrlAccess: true
})
