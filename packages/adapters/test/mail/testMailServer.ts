import type { AddressInfo } from "node:net"
import type { ReceivedMail } from "@countersign/core/contracts/tenancy/mail/Mailer"
import { SMTPServer } from "smtp-server"
import { readMail } from "../../src/outbound/mail/received.fixture.ts"

export const MAIL_USER = "postmaster"
export const MAIL_PASSWORD = "p@ss/word?"

interface Refusal {
  /** The command that the server rejects. */
  readonly to: "MAIL FROM" | "RCPT TO" | "DATA"
  readonly code: number
}

/** By default, the server uses neither TLS nor authentication. */
interface MailServerOptions {
  readonly tls?: boolean
  readonly auth?: boolean
}

/** Starts a real mail server on this machine, which stores the mails that it accepts. */
export const startMailServer = async ({ auth = false, tls = false }: MailServerOptions = {}) => {
  const mails: Array<ReceivedMail> = []
  const sessions: Array<{ readonly isSecure: boolean; readonly user: string | null }> = []
  let refusal: Refusal | null = null

  const respond = (command: Refusal["to"], callback: (error?: Error | null) => void) => {
    if (refusal?.to !== command) return callback()
    // The error messages of mail servers often contain the address.
    callback(Object.assign(new Error("5.1.1 <somebody@example.com> is not here"), { responseCode: refusal.code }))
  }
  const server = new SMTPServer({
    authOptional: !auth,
    disabledCommands: [...(tls ? [] : ["STARTTLS"]), ...(auth ? [] : ["AUTH"])],
    allowInsecureAuth: false,
    onAuth: ({ password, username }, _session, callback) =>
      username === MAIL_USER && password === MAIL_PASSWORD
        ? callback(null, { user: username })
        : callback(Object.assign(new Error("no such user"), { responseCode: 535 })),
    onMailFrom: (_address, _session, callback) => respond("MAIL FROM", callback),
    onRcptTo: (_address, _session, callback) => respond("RCPT TO", callback),
    onData: (stream, session, callback) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", async () => {
        if (refusal?.to === "DATA") return respond("DATA", callback)
        mails.push(await readMail(Buffer.concat(chunks)))
        sessions.push({ isSecure: session.secure, user: session.user ?? null })
        callback()
      })
    }
  })
  // A connection that the client closes early is not an error of the server.
  server.on("error", () => undefined)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    mails,
    sessions,
    refuse: (newRefusal: Refusal | null) => {
      refusal = newRefusal
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve()))
  }
}
