import { rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Mailer, MailNotSent } from "@countersign/core/tenancy/mail"
import { Effect, Layer } from "effect"
import { ensurePrivateFolder, PRIVATE_FILE_MODE } from "../../storage/files/index.ts"
import { composeMail } from "./composeMail.ts"

/** Sender address without a mailbox. */
const FROM = "countersign@localhost.localdomain"

const mailNotWritten = (cause: unknown) =>
  new MailNotSent({
    reason: `the mail folder can't be written (${String(Object(cause).code ?? "unknown")})`,
    isPermanent: false
  })

/**
 * Writes emails to a folder as `.eml` files, which mail programs can open. If the same email is sent again, its file is
 * overwritten.
 */
export const layer = (folder: string): Layer.Layer<Mailer> =>
  Layer.succeed(
    Mailer,
    Mailer.of({
      problem: null,
      send: (mail) =>
        Effect.tryPromise({
          try: async () => {
            const { createTransport } = await import("nodemailer")
            const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" })
            const { message } = await transport.sendMail(composeMail(mail, FROM))
            ensurePrivateFolder(folder)
            const file = join(folder, `${mail.key}.eml`)
            const temporaryFile = `${file}.tmp`
            await writeFile(temporaryFile, message, { mode: PRIVATE_FILE_MODE })
            await rename(temporaryFile, file)
          },
          catch: mailNotWritten
        })
    })
  )
