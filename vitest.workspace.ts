import { defineConfig } from "vitest/config"

const project = (name: string) => ({
  extends: true as const,
  test: { name, include: [`packages/${name}/{src,test}/**/*.test.ts`] }
})

export default defineConfig({
  // Vite's own, behind that of the packages' sources.
  ssr: { resolve: { conditions: ["countersign-source", "module", "node", "development|production"] } },
  test: {
    testTimeout: 240_000,
    hookTimeout: 60_000,
    projects: [project("core"), project("adapters"), project("http"), project("cli")]
  }
})
