// Tests of `.ci/test.mjs`, on test files that pass, fail once, or always fail: node --test .ci/test.test.mjs
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { it } from "node:test"

// The folder is below node_modules, so that the test files can import Vitest.
const cache = join(import.meta.dirname, "../node_modules/.cache")

const passes = `import { it } from "vitest"; it("passes", () => {})`
const fails = `import { it } from "vitest"; it("always fails", () => { throw new Error("broken") })`
const failsOnce = (marker) => `
  import { existsSync, writeFileSync } from "node:fs"
  import { it } from "vitest"
  it("fails once", () => {
    if (existsSync("${marker}")) return
    writeFileSync("${marker}", "")
    throw new Error("not yet")
  })`
const rejects = `import { it } from "vitest"; it("passes", () => { Promise.reject(new Error("unhandled")) })`

const runOf = (files) => {
  mkdirSync(cache, { recursive: true })
  const root = mkdtempSync(join(cache, "test-run-"))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, `${name}.test.ts`), text)
    writeFileSync(
      join(root, "vitest.workspace.ts"),
      `import { TestReport } from "${join(import.meta.dirname, "TestReport.ts")}"
       export default { test: { reporters: [new TestReport()] } }`
    )
    const { status, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, "test.mjs")], {
      env: { ...process.env, TEST_ROOT: root },
      encoding: "utf8"
    })
    return { status, lines: stdout.split("\n").filter((line) => /^(?:FLAKY|FAILED|\d+ test files|Vitest)/u.test(line)) }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

it("succeeds where all tests pass", () => {
  assert.deepEqual(runOf({ a: passes }), { status: 0, lines: [] })
})

it("lists a test that passes the second time, and succeeds", () => {
  assert.deepEqual(runOf({ a: passes, b: failsOnce("b") }), { status: 0, lines: ["FLAKY b.test.ts > fails once"] })
})

it("fails where a test fails twice, beside one that does not", () => {
  assert.deepEqual(runOf({ a: failsOnce("a"), b: fails }), {
    status: 1,
    lines: ["FLAKY a.test.ts > fails once", "FAILED b.test.ts > always fails"]
  })
})

it("fails where a file can't be loaded", () => {
  assert.deepEqual(runOf({ a: passes, b: "throw new Error('broken')" }), {
    status: 1,
    lines: ["FAILED b.test.ts > (the file itself)"]
  })
})

it("fails where more than three files fail, and runs none again", () => {
  const { lines, status } = runOf(Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, failsOnce(name)])))
  assert.equal(status, 1)
  assert.deepEqual(lines.toSorted(), [
    "4 test files failed. At most 3 are run a second time.",
    ...["a", "b", "c", "d"].map((name) => `FAILED ${name}.test.ts > fails once`)
  ])
})

it("fails where an error belongs to no test", () => {
  const { lines, status } = runOf({ a: rejects })
  assert.equal(status, 1)
  assert.deepEqual(lines, ["Vitest ended with an error that belongs to no test: its output above has the reason."])
})
