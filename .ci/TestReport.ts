import { writeFileSync } from "node:fs"
import type { Reporter, TestModule } from "vitest/node"

const SLOWEST_FILES = 20

const failedTestsOf = (file: TestModule) => [...file.children.allTests("failed")].map(({ fullName }) => fullName)

/**
 * Prints the slowest test files at the end of a run. Writes the list of failed files to `TEST_REPORT`, which
 * `.ci/test.mjs` reads.
 */
export class TestReport implements Reporter {
  onTestRunEnd(files: ReadonlyArray<TestModule>, unhandledErrors: ReadonlyArray<unknown>) {
    const slowest = files
      .map((file) => ({
        name: file.relativeModuleId,
        seconds: file.diagnostic().duration / 1000,
        cpuSeconds: (file.meta() as { readonly cpuSeconds?: number }).cpuSeconds ?? 0
      }))
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, SLOWEST_FILES)
    console.log("\nSlowest test files, with the processor time of their own process:")
    for (const { cpuSeconds, name, seconds } of slowest) {
      console.log(`${seconds.toFixed(1).padStart(7)} s ${cpuSeconds.toFixed(1).padStart(7)} s  ${name}`)
    }
    if (process.env.TEST_REPORT === undefined) return
    const failures = files
      .filter((file) => !file.ok())
      .map((file) => ({ file: file.relativeModuleId, tests: failedTestsOf(file) }))
    writeFileSync(process.env.TEST_REPORT, JSON.stringify({ failures, unhandledErrors: unhandledErrors.length }))
  }
}
