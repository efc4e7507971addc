// Executes docs/operations.md from the beginning to the first operation and to gas in tokens: every block of
// commands unchanged, in an empty folder, with the packed packages. It fills in only the placeholders <…>.
//
//   node .ci/firstOperation.mjs [project]     a project that .ci/freshProject.mjs has made
import assert from "node:assert/strict"
import { spawn, spawnSync } from "node:child_process"
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { env, launcher, openFreshProject, root, run } from "./freshProject.mjs"

const READY_MS = 300_000
const { packages } = openFreshProject(process.argv[2])
const tarballOf = (name) => packages.find((each) => each.name === name).tarball
const node24 = run(process.execPath, [launcher, "--print", "process.execPath"], root).trim()
const work = mkdtempSync(join(tmpdir(), "countersign-first-"))
const home = mkdtempSync(join(tmpdir(), "countersign-chain-"))
process.once("exit", () => {
  for (const folder of [work, home]) rmSync(folder, { recursive: true, force: true })
})

const children = []
const start = (command, words, options) => {
  const child = spawn(command, words, { stdio: ["ignore", "pipe", "pipe"], detached: true, ...options })
  const output = { text: "" }
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output.text += text))
  children.push(child)
  return { child, output }
}
/** Stops the process as Ctrl-C does, which sends the signal to every process of a terminal. */
const stop = async (child) => {
  const gone = new Promise((resolve) => child.once("exit", resolve))
  if (child.exitCode !== null || child.signalCode !== null) return
  process.kill(-child.pid, "SIGINT")
  const timer = setTimeout(() => process.kill(-child.pid, "SIGKILL"), 60_000)
  await gone
  clearTimeout(timer)
}
const until = async (what, holds, output) => {
  const deadline = Date.now() + READY_MS
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `Timed out while waiting for: ${what}\n${output.text.slice(-3000)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

// The chain is the sandbox's Base chain. The document ends with a swap, and a chain without contracts has no pools.
// `cli/test/chain.test.ts` starts on such a chain.
const sandboxFile = join(home, "sandbox.json")
const chain = async () => {
  const words = [join(root, "packages/cli/bin/countersign.mjs"), "sandbox", "start", "--port", "0"]
  const { output } = start(process.execPath, words, { cwd: root, env: { ...env, COUNTERSIGN_HOME: home } })
  await until("the chain runs", () => existsSync(sandboxFile), output)
  const { chains, gatewayUrl } = JSON.parse(readFileSync(sandboxFile, "utf8"))
  const fund = async (address, wei) => {
    const gift = { chainId: 8453, address, token: "native", amount: String(wei) }
    // Between two requests this process waits for commands for so long that the gateway closes idle connections.
    const headers = { "content-type": "application/json", connection: "close" }
    const response = await fetch(`${gatewayUrl}/fund`, { method: "POST", headers, body: JSON.stringify(gift) })
    assert.ok(response.ok, await response.text())
  }
  return { rpcUrl: chains.find(({ id }) => id === 8453).rpcUrl, fund }
}

const document = readFileSync(join(root, "docs/operations.md"), "utf8")
const section = document.split("\n## Go live\n")[1].split("\n## ")[0]
const blocks = [...section.matchAll(/^```(sh|js)\n(.*?)^```$/gms)].map(([, language, text]) => ({ language, text }))
const commands = blocks.filter(({ language }) => language === "sh")
writeFileSync(join(work, "first.mjs"), blocks.find(({ language }) => language === "js").text)

const filledIn = new Map()
const shellEnvironment = { ...env, PATH: `${dirname(node24)}:${env.PATH}` }
const asRun = (text) => {
  let filled = text
  for (const [blank, value] of filledIn) filled = filled.replaceAll(`<${blank}>`, value)
  filled = filled.replace(/^npm install .*$/gm, (line) => line.replaceAll(/@countersign\/\w+/g, tarballOf))
  assert.doesNotMatch(filled, /<[a-z]/, "something is left to fill in")
  return filled
}

let count = 0
/** Runs a block of commands in the reader's shell. Exported variables persist between blocks. */
const follow = (block, expected = 0) => {
  count += block.text
    .trim()
    .split("\n")
    .filter((line) => /^(?:npm|npx|cp|chmod|cat|export|node|\()/.test(line)).length
  // Saves the variables even if the last command fails, because the document contains a command that fails at first.
  const keep = `trap 'export -p | grep -E "COUNTERSIGN_|OWNER_KEY|PAYMASTER_" > .kept || true; mv .kept .exports' EXIT`
  const script = `if [ -f .exports ]; then . ./.exports; fi\n${keep}\nset -eu\n${asRun(block.text)}`
  const { status, stderr, stdout } = spawnSync("bash", ["-c", script], {
    cwd: work,
    env: shellEnvironment,
    encoding: "utf8",
    timeout: READY_MS
  })
  assert.equal(status, expected, `${block.text}\n${stdout}${stderr}`)
  return stdout + stderr
}
const only = (text, pattern) => {
  const found = pattern.exec(text)
  assert.ok(found, `${pattern} does not match\n${text}`)
  return found[1]
}

const serve = async (block) => {
  count += 1
  const served = start("bash", ["-c", `exec ${asRun(block.text).trim()}`], { cwd: work, env: shellEnvironment })
  const answers = () =>
    fetch("http://127.0.0.1:3000/healthz").then(
      ({ ok }) => ok,
      () => false
    )
  await until("the service listens", answers, served.output)
  return served.child
}

const ETHER = 10n ** 18n
try {
  const { fund, rpcUrl } = await chain()
  const beganAt = performance.now()
  const [install, settings, doctor, tenant, service, operation, keys, deploy, check] = commands
  assert.equal(commands.length, 9)
  filledIn.set("https://your-node", rpcUrl)
  follow(install)
  follow(settings)
  const findings = follow(doctor, 4)
  for (const [, operator] of findings.matchAll(/operator (0x[0-9a-f]{40})/g)) await fund(operator, ETHER / 100n)
  follow(doctor)
  filledIn.set("the key of step 4", only(follow(tenant), /\b(cs_\w+)/))
  let server = await serve(service)
  const wallet = only(follow(operation, 1), /Send 0.005 ETH on Base to (0x[0-9a-f]{40})/)
  await fund(wallet, (ETHER * 5n) / 1000n)
  const done = follow({ text: "node first.mjs" })
  assert.match(done, /^COMPLETED: \d+\.\d+ USDC, /m)
  const seconds = ((performance.now() - beganAt) / 1000).toFixed(0)
  process.stdout.write(`from an empty folder to the first operation: ${count} commands, ${seconds} s\n`)

  const treasury = JSON.parse(readFileSync(sandboxFile, "utf8")).owners[0]
  filledIn.set("address of the treasury", treasury.address)
  appendFileSync(join(work, ".exports"), `export PAYMASTER_TREASURY_PRIVATE_KEY=${treasury.privateKey}\n`)
  follow(keys)
  const owner = only(follow(deploy, 4), /The owner (0x[0-9a-f]{40}) has no native tokens/)
  for (const address of [owner, treasury.address]) await fund(address, ETHER)
  const deployed = follow(deploy)
  appendFileSync(join(work, ".env"), `${deployed.match(/^PAYMASTER_ADDRESS_.*$/gm).join("\n")}\n`)
  await stop(server)
  server = await serve(service)
  follow(check)
  await stop(server)
  process.stdout.write(`with gas in tokens: ${count} commands\n`)
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
} finally {
  for (const child of children.toReversed()) await stop(child)
}
