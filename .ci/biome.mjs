// Runs the formatter and linter. Its own package cannot be locked where some platforms' binaries are missing from a
// registry, so the two binaries that are needed are depended on directly, and this finds the right one.
import { spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const name = `@biomejs/cli-${process.platform}-${process.arch}`
let folder
try {
  folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
} catch {
  console.error(`${name} is not installed. Run \`npm ci\`; it brings the formatter for Linux on x64 and arm64.`)
  process.exit(1)
}
const { status } = spawnSync(join(folder, "biome"), process.argv.slice(2), { stdio: "inherit" })
process.exit(status ?? 1)
