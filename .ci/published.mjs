// Checks the published packages after `npm run build`: imports every entry point of the packed packages in a fresh
// project, compiles against its types, and runs publint and attw on the tarballs.
//
//   node .ci/published.mjs [project]     a project that .ci/freshProject.mjs has made; by default a temporary one
import assert from "node:assert/strict"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { launcher, openFreshProject, root, run } from "./freshProject.mjs"

const { packages, place } = openFreshProject(process.argv[2])

const forTests =
  /\.(?:test|contract|fixture)\.|(?:^|\/)(?:src|test|bench|testing|emulators|demo|examples|sandbox|anvil)\/|\.tsbuildinfo$/

assert.equal(packages.length, 4)
for (const { files, name } of packages) {
  const paths = files.map(({ path }) => path)
  assert.deepEqual(
    paths.filter((path) => forTests.test(path)),
    [],
    `${name} contains files that only tests need`
  )
  for (const needed of ["LICENSE", "README.md"]) assert.ok(paths.includes(needed), `${name} does not contain ${needed}`)
}

/** Returns every entry point of the package. */
const entryPoints = (name) => {
  const home = join(place, "node_modules", name)
  const { exports = {} } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"))
  return Object.keys(exports).flatMap((path) => {
    if (!path.includes("*")) return [join(name, path)]
    const indexes = readdirSync(join(home, "dist"), { recursive: true }).filter((file) => file.endsWith("/index.js"))
    return indexes.map((file) => join(name, path.replace("*", dirname(file))))
  })
}
const names = packages.flatMap(({ name }) => entryPoints(name))
assert.ok(names.length > 30)

const imports = names.map((name, i) => `import * as import${i} from ${JSON.stringify(name)}`)
const uses = names.map(
  (name, i) => `if (Object.keys(import${i}).length === 0) throw new Error(${JSON.stringify(name)})`
)
const refusal = `
// @ts-expect-error Suites for adapters' tests are not published.
const refused = await import("@countersign/core/contracts/trading/swap/SwapProvider").catch((error) => error.code)
if (!/^ERR_(PACKAGE_PATH_NOT_EXPORTED|MODULE_NOT_FOUND)$/.test(refused)) throw new Error(String(refused))`
writeFileSync(join(place, "service.mjs"), [...imports, ...uses, refusal, ""].join("\n"))

// On a user's machine, without the checkout's sources, the launcher finds Node 24.
const node24 = run(process.execPath, [launcher, "--print", "process.execPath"], root).trim()
run(node24, ["service.mjs"], place)
for (const bin of ["countersign"])
  assert.match(run(node24, [join(place, "node_modules/.bin", bin), "--version"], place), /\d/)

const options = ["--ignoreConfig", "--module", "nodenext", "--target", "es2024", "--strict", "--noEmit", "--checkJs"]
const compiler = join(root, "node_modules/typescript/bin/tsc")
run(
  process.execPath,
  [
    compiler,
    ...options,
    "--skipLibCheck",
    "--types",
    "node",
    "--typeRoots",
    join(root, "node_modules/@types"),
    "service.mjs"
  ],
  place
)

/** Installs one package in a new, empty folder. Returns the folder and the size with all dependencies. */
const installAlone = (folder, name, ...words) => {
  const elsewhere = join(place, folder)
  mkdirSync(elsewhere)
  writeFileSync(join(elsewhere, "package.json"), JSON.stringify({ name: folder, version: "1.0.0", type: "module" }))
  const { tarball } = packages.find((each) => each.name === name)
  run("npm", ["install", "--no-audit", "--no-fund", ...words, tarball], elsewhere)
  const installed = readdirSync(join(elsewhere, "node_modules"), { recursive: true, withFileTypes: true })
  const sizes = installed.map((entry) => (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0))
  return { elsewhere, megabytes: sizes.reduce((sum, size) => sum + size, 0) / 1e6 }
}

// The packages as they are installed on a server.
const server = installAlone("server", "@countersign/cli", "--omit=dev", "--omit=optional", "--omit=peer")
assert.ok(server.megabytes < 120, `the server's packages take ${server.megabytes} MB`)
const command = join(server.elsewhere, "node_modules/.bin/countersign")
assert.match(run(node24, [command, "serve", "--help"], server.elsewhere), /RPC_URL_/)
const help = run(node24, [command, "--help"], server.elsewhere)
assert.ok(
  /^ +serve /m.test(help) && !/^ +(sandbox|sign) /m.test(help),
  `the help lists commands that the package does not contain\n${help}`
)
const sbom = JSON.parse(
  readFileSync(join(server.elsewhere, "node_modules/@countersign/cli/dist/sbom.cdx.json"), "utf8")
)
const listed = new Set(sbom.components.map(({ name }) => name))
// The list of components must contain the dependencies in the bundles and those that npm installs next to the bundles,
// and no build tools.
for (const name of ["effect", "viem", "@effect/sql-pg", "preact", "better-sqlite3"])
  assert.ok(listed.has(name), `sbom.cdx.json does not list ${name}`)
for (const name of ["vitest", "typescript", "esbuild", "bcoin"])
  assert.ok(!listed.has(name), `sbom.cdx.json lists ${name}, which is not in the package`)
for (const { hashes, name, purl } of sbom.components)
  assert.ok(purl !== undefined && (hashes ?? []).length > 0, `sbom.cdx.json contains no purl or no hash of ${name}`)
process.stdout.write(`a server: ${server.megabytes.toFixed(1)} MB\n`)

// The packages that a web page needs: the client and the verifier, without the server's dependencies. They run on any
// version of Node.
const client = installAlone("client", "@countersign/http")
assert.ok(client.megabytes < 8, `the client's packages take ${client.megabytes} MB`)
for (const name of ["effect", "viem", "better-sqlite3", "@countersign/adapters"])
  assert.ok(!existsSync(join(client.elsewhere, "node_modules", name)), `the client installs ${name}`)
writeFileSync(
  join(client.elsewhere, "client.mjs"),
  'import { createClient } from "@countersign/http/client"\nimport { verifyQuote } from "@countersign/http/verify"\n' +
    "if (typeof createClient !== 'function' || typeof verifyQuote !== 'function') throw new Error('no client')\n"
)
for (const node of [node24, process.execPath]) run(node, ["client.mjs"], client.elsewhere)
process.stdout.write(`the client: ${client.megabytes.toFixed(1)} MB\n`)

// If the Node version is too old, the library reports it.
const tooOld = `import { Countersign } from "@countersign/adapters"
const errorId = await Countersign.open({ database: "x.db", chains: { 1: { rpcUrl: "http://127.0.0.1:1" } } }).catch((error) => error.id)
if (errorId !== "NODE_TOO_OLD") throw new Error(String(errorId))`
writeFileSync(join(place, "tooOld.mjs"), tooOld)
if (Number(process.versions.node.split(".")[0]) < 22) run(process.execPath, ["tooOld.mjs"], place)

for (const { files, name, tarball, unpackedSize } of packages) {
  run(process.execPath, [join(root, "node_modules/publint/src/cli.js"), "run", "--strict", tarball], place)
  const paths = entryPoints(name).map((path) => join(".", path.slice(name.length)) || ".")
  const attw = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js")
  if (paths.length > 0)
    run(process.execPath, [attw, tarball, "--profile", "esm-only", "--entrypoints", ...paths], place)
  process.stdout.write(
    `${name}: ${files.length} files, ${Math.round(unpackedSize / 1000)} kB, ${paths.length} entry points\n`
  )
}
