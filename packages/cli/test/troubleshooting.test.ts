import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"

const root = join(import.meta.dirname, "../../..")

/**
 * The texts of the sources of `core`, `adapters` and `cli`. `…` replaces template expressions, and a counted noun is in
 * the plural.
 */
const sourceTexts = globSync("packages/{core,adapters,cli}/src/**/*.ts", { cwd: root })
  .filter((path) => !/\.(test|fixture|contract)\.ts$/u.test(path))
  .map((path) => readFileSync(join(root, path), "utf8"))
  .join("\n")
  .replaceAll(/\$\{countText\([^`]*?, "(\w+)"\)\}/gu, "$1s")
  .replaceAll(/\$\{[^`{}]*\}/gu, "…")

/** Findings whose texts are composed from names of other parts. */
const COMPOSED =
  /^(?:fiat (?:deposit|withdrawal)s|(?:unpaid gas )?of (?:wallet|owner|project|operator.*)|operator 0x)$/u

const findings = readFileSync(join(root, "docs/operations.md"), "utf8")
  .split("| finding | meaning | what to do |\n|---|---|---|\n")[1]!
  .split("\n\n")[0]!
  .split("\n")
  .map((row) => row.split("|")[1]!.trim())

describe("the table of findings in operations.md", () => {
  it.for(findings)("quotes texts of the doctor or the log: %s", (finding) => {
    const quotedTexts = finding
      .split(/…|: |, /u)
      .map((part) => part.trim())
      .filter((part) => part.includes(" ") && !COMPOSED.test(part))
    for (const text of quotedTexts) assert.include(sourceTexts, text)
  })
})
