import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"

/**
 * The highest exposure that `systemd-analyze security` may report, in tenths. 100 is the most exposed, and 0 the least
 * exposed.
 */
const EXPOSURE_MAX = 29

const analyze = (...words: ReadonlyArray<string>) => spawnSync("systemd-analyze", words, { encoding: "utf8" })

const isInstalled = analyze("--version").error === undefined
const title = isInstalled ? "the systemd unit" : "the systemd unit (skipped: systemd-analyze is not installed)"

const folder = mkdtempSync(join(tmpdir(), "countersign-unit-"))
const units = ["countersign.service", "countersign-backup.service", "countersign-backup.timer"]
beforeAll(() => {
  for (const unit of units) {
    const text = readFileSync(new URL(`../../../docs/deploy/${unit}`, import.meta.url), "utf8")
    // systemd-analyze requires that the program exists on this machine.
    writeFileSync(join(folder, unit), text.replace("/usr/bin/node", process.execPath))
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(!isInstalled).each(units)(`${title} %s`, (name) => {
  const unit = join(folder, name)

  it("is valid", () => {
    const { status, stderr } = analyze("verify", "--man=no", unit)
    assert.deepStrictEqual([status, stderr], [0, ""])
  })

  // A timer unit does not run a process.
  if (name.endsWith(".service")) {
    it("exposes less than 3 of 10", () => {
      const { status, stderr, stdout } = analyze("security", "--offline=true", `--threshold=${EXPOSURE_MAX}`, unit)
      assert.strictEqual(status, 0, stdout + stderr)
    })
  }
})
