import { existsSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join, relative } from "node:path"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { TestReport } from "./.ci/TestReport.ts"

/** In the order in which they run: the longest first, so that short files come last and no process is left with a long one. */
const names = ["http", "cli", "adapters", "core"]

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
    const place = ({ moduleId, project }: TestSpecification) => {
      const index = longest.indexOf(relative(import.meta.dirname, moduleId))
      return index === -1 ? longest.length + names.indexOf(project.name) : index
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

const project = (name: string) => ({
  extends: true as const,
  test: { name, include: [`packages/${name}/{src,test,sandbox}/**/*.test.ts`] }
})

const packages = join(import.meta.dirname, "packages")

/** The packages' names mean their sources, as in `tsconfig.json`. */
const sources = [
  { find: /^@countersign\/core\/contracts\/(.+)$/u, replacement: `${packages}/core/src/$1.contract.ts` },
  { find: /^@countersign\/adapters\/sandbox$/u, replacement: `${packages}/adapters/sandbox/index.ts` },
  { find: /^@countersign\/([^/]+)\/(.+)$/u, replacement: `${packages}/$1/src/$2/index.ts` },
  { find: /^@countersign\/([^/]+)$/u, replacement: `${packages}/$1/src/index.ts` }
]

export default defineConfig({
  resolve: { alias: sources },
  test: {
    testTimeout: 240_000,
    hookTimeout: 240_000,
    setupFiles: [join(import.meta.dirname, ".ci/cpuTime.ts")],
    globalSetup: [join(packages, "adapters/test/support/fetchContracts.ts")],
    // Loading our modules takes longer than most files' tests: a process loads them once, and with them its Postgres.
    isolate: false,
    // Most objects live for a moment. With more room for new ones, less processor time goes into collecting garbage.
    execArgv: ["--max-semi-space-size=64"],
    // Most tests wait for a chain or a database: four files more than there are cores keep the cores at work.
    maxWorkers: availableParallelism() + 4,
    sequence: { sequencer: LongestFirst },
    reporters: ["default", new TestReport()],
    projects: names.map(project)
  }
})
