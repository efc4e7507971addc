// Runs every example of the packages against one sandbox, as a user would: in a fresh project with the packed packages.
// An example tests itself, and ends with an error if an assertion fails.
//
//   node .ci/examples.mjs [project] [name]     a project that .ci/freshProject.mjs has made; part of an example's name
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { env, launcher, openFreshProject, root, run } from "./freshProject.mjs"

const READY_MS = 300_000
const EXAMPLE_MS = 300_000

const { place } = openFreshProject(process.argv[2])
const wanted = process.argv[3] ?? ""

const node24 = run(process.execPath, [launcher, "--print", "process.execPath"], root).trim()
const home = mkdtempSync(join(tmpdir(), "countersign-examples-"))
process.once("exit", () => rmSync(home, { recursive: true, force: true }))
const file = join(home, "sandbox.json")
const told = () => JSON.parse(readFileSync(file, "utf8"))

const sandbox = spawn(
  process.execPath,
  [join(root, "packages/cli/bin/countersign.mjs"), "sandbox", "start", "--port", "0"],
  { cwd: root, env: { ...env, COUNTERSIGN_HOME: home }, stdio: ["ignore", "ignore", "pipe"] }
)
let log = ""
sandbox.stderr.on("data", (text) => {
  log = (log + text).slice(-4_000)
})

const ready = async () => {
  const deadline = Date.now() + READY_MS
  while (!existsSync(file)) {
    assert.ok(sandbox.exitCode === null && Date.now() < deadline, `The sandbox did not start.\n${log}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Runs an example. Returns its exit code and its output. */
const exampleRun = (command, bin, words, cwd) =>
  new Promise((resolve) => {
    const PATH = `${join(node24, "..")}:${bin}:${env.PATH}`
    const child = spawn(command, words, {
      cwd,
      env: {
        ...env,
        PATH,
        COUNTERSIGN_HOME: home,
        SANDBOX_FILE: file,
        COUNTERSIGN_URL: told().baseUrl,
        COUNTERSIGN_API_KEY: told().apiKey
      },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const timer = setTimeout(() => child.kill("SIGKILL"), EXAMPLE_MS)
    let said = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text))
    child.once("close", (code, signal) => {
      clearTimeout(timer)
      resolve({ end: code ?? signal, said })
    })
  })

const program = { command: node24, bin: join(place, "node_modules/.bin") }
/** The sandbox and the command line are those of the checkout. */
const script = { command: "bash", bin: join(root, "node_modules/.bin") }

const examples = readdirSync(join(root, "packages")).flatMap((name) => {
  const folder = join(root, "packages", name, "examples")
  if (!existsSync(folder)) return []
  cpSync(folder, join(place, name), { recursive: true })
  const files = readdirSync(folder).filter((each) => /\.(?:ts|sh)$/.test(each))
  return files.map((each) => ({ name: join(name, each), ...(each.endsWith(".sh") ? script : program) }))
})

const failures = []
try {
  const startedAt = performance.now()
  await ready()
  process.stdout.write(`sandbox: ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)
  for (const { bin, command, name } of examples.filter((example) => example.name.includes(wanted))) {
    const beganAt = performance.now()
    const { end, said } = await exampleRun(command, bin, [name], place)
    process.stdout.write(`${name}: ${((performance.now() - beganAt) / 1000).toFixed(1)} s\n`)
    if (end !== 0) failures.push(`${name} ended with ${end}\n${said}`)
  }
} finally {
  const gone = new Promise((resolve) => sandbox.once("exit", resolve))
  if (sandbox.exitCode === null && sandbox.kill("SIGINT")) await gone
}
process.stderr.write(failures.join("\n"))
process.exitCode = failures.length === 0 ? 0 : 1
