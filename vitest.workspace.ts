import { existsSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join, relative } from "node:path"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { TestReport } from "./.ci/TestReport.ts"

/** In this order, so that short files come last and no process is left with a long one. */
const packages = ["http", "cli", "adapters", "core"]

/** The files that take longest, as `npm test` lists them at its end. They start before all others. */
const longest = [
  "http/test/month/month",
  "cli/test/commands",
  "http/test/faults/nodeFaults",
  "http/test/fidelity/fidelity",
  "http/test/verify/verifyQuote",
  "http/test/faults/operatorAccounts",
  "cli/test/sandboxLifecycle",
  "http/test/faults/lyingNodes",
  "http/test/kill/fiat/fiatKill",
  "http/test/reservations",
  "cli/test/referenceExamples",
  "http/test/kill/kill"
].map((name) => `packages/${name}.test.ts`)
const missing = longest.filter((path) => !existsSync(join(import.meta.dirname, path)))
if (missing.length > 0) throw new Error(`These test files do not exist: ${missing.join(", ")}`)

class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification) => {
      const path = relative(import.meta.dirname, moduleId)
      const index = longest.indexOf(path)
      return index === -1 ? longest.length + packages.indexOf(path.split("/")[1]!) : index
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

const folder = join(import.meta.dirname, "packages")

/** The packages' names mean their sources, as in `tsconfig.json`. */
const sources = [
  { find: /^@countersign\/core\/contracts\/(.+)$/u, replacement: `${folder}/core/src/$1.contract.ts` },
  { find: /^@countersign\/adapters\/sandbox$/u, replacement: `${folder}/adapters/sandbox/index.ts` },
  { find: /^@countersign\/([^/]+)\/(.+)$/u, replacement: `${folder}/$1/src/$2/index.ts` },
  { find: /^@countersign\/([^/]+)$/u, replacement: `${folder}/$1/src/index.ts` }
]

export default defineConfig({
  resolve: { alias: sources },
  test: {
    testTimeout: 240_000,
    hookTimeout: 240_000,
    setupFiles: [join(import.meta.dirname, ".ci/cpuTime.ts")],
    globalSetup: [join(folder, "adapters/test/support/fetchContracts.ts")],
    // Loading our modules takes longer than most files' tests: a process loads them once, and with them its Postgres.
    isolate: false,
    // Most objects live for a moment. With more room for new ones, less processor time goes into collecting garbage.
    execArgv: ["--max-semi-space-size=64"],
    // Most tests wait for a chain or a database: four files more than there are cores keep the cores at work.
    maxWorkers: availableParallelism() + 4,
    sequence: { sequencer: LongestFirst },
    reporters: ["default", new TestReport()],
    include: [`packages/{${packages}}/{src,test,sandbox}/**/*.test.ts`]
  }
})
