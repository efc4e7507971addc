import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { PRIVATE_FILE_MODE } from "../../../src/storage/files/index.ts"

/** Stores the unconfirmed transactions while the sandbox is stopped, one per line. */
export const mempoolFile = (folder: string) => {
  const file = join(folder, "waiting.txt")
  return {
    write: (transactions: ReadonlyArray<string>): void =>
      writeFileSync(file, transactions.join("\n"), { mode: PRIVATE_FILE_MODE }),
    read: (): ReadonlyArray<string> =>
      existsSync(file)
        ? readFileSync(file, "utf8")
            .split("\n")
            .filter((line) => line !== "")
        : []
  }
}
