// Creates a fresh project outside the repository with the packed packages, as a user would have it. Run it after `npm
// run build`.
//
//   node .ci/freshProject.mjs <empty folder>     creates one for the other scripts, so that the packages are packed
//   once
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const root = join(import.meta.dirname, "..")
/** The launcher, which uses the Node 24 of the lock file if the system's Node is older. */
export const launcher = join(root, "packages/cli/bin/node24.mjs")

// The checkout's NODE_OPTIONS would make processes run the sources.
const { NODE_OPTIONS: _, ...environment } = process.env
export const env = environment

export const run = (command, words, cwd) => {
  const { status, stderr, stdout } = spawnSync(command, words, { cwd, env, encoding: "utf8" })
  assert.equal(status, 0, `${command} ${words.join(" ")}\n${stdout}${stderr}`)
  return stdout
}

const listing = (place) => join(place, "packages.json")

const make = (place) => {
  // npm up to version 11 prints an array. Later versions print an object by package.
  const packed = Object.values(
    JSON.parse(run("npm", ["pack", "--workspaces", "--json", "--pack-destination", place], root))
  )
  const packages = packed.map(({ filename, files, name, unpackedSize }) => {
    assert.ok(files.length > 10, `${name} is not built. Run \`npm run build\`.`)
    return { name, files, unpackedSize, tarball: join(place, filename.replace("@", "").replace("/", "-")) }
  })
  writeFileSync(join(place, "package.json"), JSON.stringify({ name: "fresh", version: "1.0.0", type: "module" }))
  // Users of the server part of @countersign/http install the platform package themselves.
  const platform = `@effect/platform-node@${JSON.parse(readFileSync(join(root, "package.json"), "utf8")).dependencies["@effect/platform-node"]}`
  run("npm", ["install", "--no-audit", "--no-fund", platform, ...packages.map(({ tarball }) => tarball)], place)
  writeFileSync(listing(place), JSON.stringify(packages))
}

/**
 * Returns the project in the folder, and creates it if it does not exist. Without a folder, creates a temporary
 * project.
 */
export const openFreshProject = (folder) => {
  const place = realpathSync(folder ?? mkdtempSync(join(tmpdir(), "countersign-fresh-")))
  if (folder === undefined) process.once("exit", () => rmSync(place, { recursive: true, force: true }))
  if (!existsSync(listing(place))) make(place)
  return { place, packages: JSON.parse(readFileSync(listing(place), "utf8")) }
}

if (process.argv[1] === import.meta.filename) openFreshProject(process.argv[2])
