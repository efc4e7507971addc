export { EmailAddress } from "./EmailAddress.ts"
export { type Attachment, type Mail, Mailer, MailNotSent } from "./Mailer.ts"
