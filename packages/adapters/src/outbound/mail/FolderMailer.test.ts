import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { aMail, mailerContract } from "@countersign/core/contracts/tenancy/mail/Mailer"
import { Mailer } from "@countersign/core/tenancy/mail"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll } from "vitest"
import { layer } from "./FolderMailer.ts"
import { readMail } from "./received.fixture.ts"

const temporaryFolder = mkdtempSync(join(tmpdir(), "mails-"))
afterAll(() => rmSync(temporaryFolder, { recursive: true, force: true }))
const folder = join(temporaryFolder, "mail")

mailerContract("a folder", layer(folder), (key) =>
  Effect.promise(async () => [await readMail(readFileSync(join(folder, `${key}.eml`)))])
)

const send = (mailFolder: string, mail = aMail()) =>
  Mailer.use((mailer) => mailer.send(mail)).pipe(Effect.provide(layer(mailFolder)))

describe("FolderMailer", () => {
  it.effect("writes a repeated email with the same bytes, into one file that only this user can read", () =>
    Effect.gen(function* () {
      const newFolder = join(temporaryFolder, "again")
      const mail = aMail({ attachments: [{ name: "a.csv", contentType: "text/csv", content: "a\r\n" }] })
      yield* send(newFolder, mail)
      const file = join(newFolder, `${mail.key}.eml`)
      const firstMail = readFileSync(file)
      yield* send(newFolder, mail)
      assert.deepStrictEqual(readFileSync(file), firstMail)
      assert.deepStrictEqual(readdirSync(newFolder), [`${mail.key}.eml`])
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.strictEqual(statSync(newFolder).mode & 0o777, 0o700)
    })
  )

  it.effect("fails temporarily if the folder can't be created", () =>
    Effect.gen(function* () {
      const file = join(temporaryFolder, "file")
      writeFileSync(file, "")
      const error = yield* Effect.flip(send(join(file, "mail")))
      assert.isFalse(error.isPermanent)
      assert.match(error.reason, /can't be written \(E\w+\)/u)
    })
  )
})
