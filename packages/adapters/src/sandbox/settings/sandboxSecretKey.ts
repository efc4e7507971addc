import { randomBytes } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { PRIVATE_FILE_MODE } from "../../files/index.ts"
import { type SecretKey, secretKeyOf } from "../../kysely/index.ts"

/** The key of a sandbox's stored secrets, in a file of its home. The first to ask for it makes it. */
export const sandboxSecretKey = (home: string): SecretKey => {
  const file = join(home, "secrets.key")
  try {
    writeFileSync(file, randomBytes(32), { flag: "wx", mode: PRIVATE_FILE_MODE })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
  }
  return secretKeyOf(readFileSync(file))
}
