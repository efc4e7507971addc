import type { ReceivedMail } from "@countersign/core/contracts/tenancy/mail/Mailer"
import PostalMime from "postal-mime"

/** Parses an email with a different library than the one that composed it. */
export const readMail = async (source: Buffer | string): Promise<ReceivedMail> => {
  const mail = await PostalMime.parse(source, { attachmentEncoding: "arraybuffer" })
  const addresses = (list: ReadonlyArray<{ readonly address?: string | undefined }> | undefined) =>
    (list ?? []).map(({ address }) => address ?? "")
  return {
    messageId: mail.messageId ?? "",
    date: mail.date ?? "",
    from: { name: mail.from?.name ?? "", address: mail.from?.address ?? "" },
    to: addresses([...(mail.to ?? []), ...(mail.cc ?? []), ...(mail.bcc ?? [])]),
    replyTo: addresses(mail.replyTo),
    subject: mail.subject ?? "",
    text: mail.text ?? "",
    html: mail.html ?? "",
    headers: mail.headers.map(({ key }) => key),
    attachments: mail.attachments.map(({ content, filename, mimeType }) => ({
      name: filename ?? "",
      contentType: mimeType,
      content: new TextDecoder().decode(content as ArrayBuffer)
    }))
  }
}
