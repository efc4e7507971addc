// Runs the tests, and then runs each failed file once more, in a new process. If a file passes the second time, it is
// flaky: the last lines of the output list it, and it does not fail the run unless more than three files failed.
// Arguments are passed to Vitest.
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const MOST_FLAKY_FILES = 3

const root = process.env.TEST_ROOT ?? join(import.meta.dirname, "..")
const launcher = join(import.meta.dirname, "../packages/cli/bin/node24.mjs")
const vitest = join(import.meta.dirname, "../node_modules/vitest/vitest.mjs")
const folder = mkdtempSync(join(tmpdir(), "countersign-tests-"))
process.once("exit", () => rmSync(folder, { recursive: true, force: true }))

/** Runs Vitest. Returns whether it succeeded, and the report, or no report if Vitest itself ended early. */
const run = (name, words) => {
  const TEST_REPORT = join(folder, `${name}.json`)
  const { status } = spawnSync(
    process.execPath,
    [launcher, vitest, "run", "--config", "vitest.workspace.ts", ...words],
    {
      cwd: root,
      env: { ...process.env, TEST_REPORT },
      stdio: "inherit"
    }
  )
  try {
    return { passed: status === 0, report: JSON.parse(readFileSync(TEST_REPORT, "utf8")) }
  } catch {
    return { passed: false, report: undefined }
  }
}

const first = run("first", process.argv.slice(2))
if (first.passed) process.exit(0)
const { failures = [], unhandledErrors = 0 } = first.report ?? {}

const lines = []
let failed = failures.length === 0 || unhandledErrors > 0
if (failed) lines.push("Vitest ended with an error that belongs to no test: its output above has the reason.")
if (failures.length > MOST_FLAKY_FILES) {
  failed = true
  for (const { file, tests } of failures) for (const test of tests) lines.push(`FAILED ${file} > ${test}`)
  lines.push(`${failures.length} test files failed. At most ${MOST_FLAKY_FILES} are run a second time.`)
} else {
  for (const [index, { file, tests }] of failures.entries()) {
    const second = run(`again-${index}`, [file])
    if (!second.passed) failed = true
    // If the code outside the tests of a file fails, the report contains no test.
    for (const test of tests.length === 0 ? ["(the file itself)"] : tests)
      lines.push(`${second.passed ? "FLAKY" : "FAILED"} ${file} > ${test}`)
  }
}
console.log(`\n${lines.join("\n")}`)
process.exit(failed ? 1 : 0)
