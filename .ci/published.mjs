// Looks at what would be published, after `npm run build`: that no test and nothing for tests is in it, and that it works
// without the rest of this checkout. It is laid out as an installation does, with the checkout's own dependencies.
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"

const root = join(import.meta.dirname, "..")
const place = join(root, "node_modules/.cache/countersign-published")
const installed = join(place, "node_modules")

// A checkout's processes are told to run sources.
const { NODE_OPTIONS: _, ...env } = process.env
const run = (command, words, cwd) => {
  const { status, stderr, stdout } = spawnSync(command, words, { cwd, env, encoding: "utf8" })
  assert.equal(status, 0, `${words.join(" ")}\n${stdout}${stderr}`)
  return stdout
}

const forTests = /\.(?:test|contract|fixture)\.|(?:^|\/)(?:src|test|bench|testing|emulators|demo)\/|\.tsbuildinfo$/

rmSync(place, { recursive: true, force: true })
// npm up to 11 answers a list, later ones an object by package.
const packages = Object.values(JSON.parse(run("npm", ["pack", "--workspaces", "--dry-run", "--json"], root)))
assert.equal(packages.length, 4)
for (const { files, name } of packages) {
  const paths = files.map(({ path }) => path)
  assert.deepEqual(
    paths.filter((path) => forTests.test(path)),
    [],
    `${name} has files that are for tests alone`
  )
  assert.ok(paths.length > 10, `${name} is not built: npm run build`)
  for (const path of paths) {
    const target = join(installed, name, path)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(root, "packages", basename(name), path), target)
  }
}

const countersign = join(installed, "@countersign/cli/bin/countersign.mjs")
assert.match(run(process.execPath, [countersign, "--version"], place), /\d+\.\d+\.\d+/)

writeFileSync(
  join(place, "service.mjs"),
  `import { layerServices } from "@countersign/adapters/composition"
import { SandboxChains } from "@countersign/adapters/sandbox"
import { Swaps } from "@countersign/core/swap"
import { layerHttpService } from "@countersign/http"
const used = [layerServices, SandboxChains, Swaps, layerHttpService]
// @ts-expect-error Suites for adapters' tests are not published.
const refused = await import("@countersign/core/contracts/swap/SwapProvider").catch((error) => error.code)
if (used.length !== 4 || refused !== "ERR_PACKAGE_PATH_NOT_EXPORTED") throw new Error(String(refused))
`
)
run(process.execPath, [join(installed, "@countersign/cli/bin/node24.mjs"), "service.mjs"], place)
const options = [
  "--ignoreConfig",
  "--module",
  "nodenext",
  "--target",
  "es2024",
  "--strict",
  "--skipLibCheck",
  "--noEmit",
  "--checkJs",
  "--types",
  "node"
]
run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...options, "service.mjs"], place)

for (const { files, name, unpackedSize } of packages) {
  process.stdout.write(`${name}: ${files.length} files, ${Math.round(unpackedSize / 1000)} kB\n`)
}
