import { availableParallelism } from "node:os"
import { join } from "node:path"
import { defineConfig } from "vitest/config"

const project = (name: string) => ({
  extends: true as const,
  test: { name, include: [`packages/${name}/{src,test}/**/*.test.ts`] }
})

const packages = join(import.meta.dirname, "packages")

/** The packages' names mean their sources, as in `tsconfig.json`. */
const sources = [
  { find: /^@countersign\/core\/contracts\/(.+)$/u, replacement: `${packages}/core/src/$1.contract.ts` },
  { find: /^@countersign\/([^/]+)\/(.+)$/u, replacement: `${packages}/$1/src/$2/index.ts` },
  { find: /^@countersign\/([^/]+)$/u, replacement: `${packages}/$1/src/index.ts` }
]

export default defineConfig({
  resolve: { alias: sources },
  test: {
    testTimeout: 240_000,
    hookTimeout: 60_000,
    globalSetup: [join(packages, "adapters/test/support/fetchContracts.ts")],
    // Most tests wait for a chain or a database: two files at a time fit on two cores, too.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [project("core"), project("adapters"), project("http"), project("cli")]
  }
})
