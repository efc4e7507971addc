// Runs the formatter and linter. Biome's own package cannot be in the lock file, because one registry does not have the
// binaries of all platforms. So package.json depends on the binaries for Linux, and this script selects the right one.
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const name = `@biomejs/cli-${process.platform}-${process.arch}`
let folder
try {
  folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
} catch {
  const { optionalDependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  const wanted = `${name}@${optionalDependencies["@biomejs/cli-linux-x64"]}`
  console.error(
    `${name} is not installed. On Linux, \`npm ci\` installs it. On other systems, run \`npm install --no-save ${wanted}\`.`
  )
  process.exit(1)
}
const { status } = spawnSync(join(folder, "biome"), process.argv.slice(2), { stdio: "inherit" })
process.exit(status ?? 1)
