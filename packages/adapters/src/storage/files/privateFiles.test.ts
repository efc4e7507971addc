import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { ensurePrivateFile, ensurePrivateFolder } from "./privateFiles.ts"

const testFolder = mkdtempSync(join(tmpdir(), "countersign-private-"))
afterAll(() => rmSync(testFolder, { recursive: true, force: true }))

const modeOf = (path: string) => statSync(path).mode & 0o7777

describe("a private folder", () => {
  it("is readable only by its owner, even if it existed and was readable by others", () => {
    const folder = join(testFolder, "made", "here")
    ensurePrivateFolder(folder)
    assert.strictEqual(modeOf(folder), 0o700)
    chmodSync(folder, 0o755)
    ensurePrivateFolder(folder)
    assert.strictEqual(modeOf(folder), 0o700)
  })

  // Linux does not allow new files there, even for root.
  it.skipIf(process.platform !== "linux")("is reported if no file can be created in it", () => {
    assert.throws(
      () => ensurePrivateFile("/sys/countersign"),
      /^The folder \/sys can't be written \(E(?:ACCES|ROFS)\)/u
    )
  })

  it("is not changed if users share it", () => {
    const sharedFolder = join(testFolder, "shared")
    mkdirSync(sharedFolder)
    chmodSync(sharedFolder, 0o1777)
    ensurePrivateFolder(sharedFolder)
    assert.strictEqual(modeOf(sharedFolder), 0o1777)
  })
})

describe("a private file", () => {
  it("is readable only by its owner, even if it existed and was readable by others, and keeps its content", () => {
    const [made, open] = [join(testFolder, "made.db"), join(testFolder, "open.db")]
    writeFileSync(open, "kept")
    chmodSync(open, 0o644)
    for (const file of [made, open]) {
      ensurePrivateFile(file)
      assert.strictEqual(modeOf(file), 0o600)
    }
    assert.deepStrictEqual(
      [made, open].map((file) => readFileSync(file, "utf8")),
      ["", "kept"]
    )
  })
})
