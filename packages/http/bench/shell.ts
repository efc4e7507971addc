import { type ChildProcess, fork } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import autocannon from "autocannon"
import { seedDatabase } from "./shell/database.ts"

/**
 * Compares the HTTP server with others. Countersign, Fastify and bare node:http serve the same two requests, one server
 * after another in each round: an authenticated read with its database queries, and a validated POST. Run it with `npm
 * run bench:shell -w packages/http`.
 *
 * It compares the CPU time of a request, as a multiple of Fastify's, with `shell/cpuOfFastify.json`, and fails if a
 * multiple is more than 20 % higher. STORE=1 writes the file instead.
 */

const rounds = Number(process.env.ROUNDS ?? 5)
const seconds = Number(process.env.SECONDS ?? 4)
const kinds = ["ours", "fastify", "bare"] as const
type Kind = (typeof kinds)[number]

const REGRESSION = 1.2
const ratiosFile = join(import.meta.dirname, "shell/cpuOfFastify.json")
const measuredRatios: Record<string, number> = {}

const home = mkdtempSync(join(tmpdir(), "countersign-bench-"))
const { apiKey } = await seedDatabase(home)

const startServer = async (kind: Kind) => {
  const child = fork(join(import.meta.dirname, "shell/server.ts"), [kind, home])
  const { url } = await new Promise<{ readonly url: string }>((resolve) => child.once("message", resolve as never))
  return { child, url }
}

interface ResourceUsage {
  readonly rssMb: number
  readonly cpuMicros: number
}

const resourceUsageOf = (child: ChildProcess): Promise<ResourceUsage> =>
  new Promise((resolve) => {
    child.once("message", (usage) => resolve(usage as ResourceUsage))
    child.send("used")
  })

const headers = { "x-api-key": apiKey, "content-type": "application/json" }
const body = JSON.stringify({ userOperationHash: `0x${"ab".repeat(32)}`, signature: `0x${"cd".repeat(65)}` })
const loads = {
  read: { path: "/api/v1/wallets", method: "GET" },
  post: { path: "/api/v1/crypto/execute-user-op", method: "POST", body }
} as const

const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Prints how the ratios changed, or stores the ratios. */
const compareRatios = (): void => {
  if (process.env.STORE === "1") {
    const roundedRatios = Object.entries(measuredRatios).map(([name, ratio]) => [name, Number(ratio.toFixed(2))])
    writeFileSync(ratiosFile, `${JSON.stringify(Object.fromEntries(roundedRatios), null, 2)}\n`)
    return
  }
  const storedItems: Readonly<Record<string, number>> = JSON.parse(readFileSync(ratiosFile, "utf8"))
  for (const [name, ratio] of Object.entries(measuredRatios)) {
    const isWorse = ratio > storedItems[name]! * REGRESSION
    console.log(
      `${name}  ${ratio.toFixed(2)} times Fastify's CPU time, stored ${storedItems[name]}${isWorse ? ": more than 20 % worse" : ""}`
    )
    if (isWorse) process.exitCode = 1
  }
}

const servers = new Map<Kind, Awaited<ReturnType<typeof startServer>>>()
try {
  for (const kind of kinds) servers.set(kind, await startServer(kind))
  for (const [name, load] of Object.entries(loads)) {
    const results = new Map(
      kinds.map((kind) => [
        kind,
        {
          perSecond: [] as Array<number>,
          p50: [] as Array<number>,
          p99: [] as Array<number>,
          cpuMicros: [] as Array<number>
        }
      ])
    )
    for (let round = 0; round <= rounds; round++) {
      for (const kind of kinds) {
        const { path, ...rest } = load
        const { child, url } = servers.get(kind)!
        const stateBefore = await resourceUsageOf(child)
        const result = await autocannon({
          url: url + path,
          ...rest,
          headers,
          connections: 32,
          duration: round === 0 ? 2 : seconds
        })
        // The first round is a warm-up, which does not count.
        if (round === 0) continue
        const { cpuMicros, p50, p99, perSecond } = results.get(kind)!
        cpuMicros.push(((await resourceUsageOf(child)).cpuMicros - stateBefore.cpuMicros) / result.requests.total)
        perSecond.push(result.requests.average)
        p50.push(result.latency.p50)
        p99.push(result.latency.p99)
      }
    }
    const fastest = median(results.get("fastify")!.perSecond)
    measuredRatios[name] = median(results.get("ours")!.cpuMicros) / median(results.get("fastify")!.cpuMicros)
    for (const kind of kinds) {
      const { cpuMicros, p50, p99, perSecond } = results.get(kind)!
      const rate = median(perSecond)
      console.log(
        `${name}  ${kind.padEnd(7)}  ${Math.round(rate)}/s  ${(rate / fastest).toFixed(2)} of fastify  ` +
          `p50 ${median(p50)} ms  p99 ${median(p99)} ms  ${Math.round(median(cpuMicros))} µs of CPU a request`
      )
    }
  }
  for (const [kind, { child }] of servers) {
    console.log(`memory  ${kind.padEnd(7)}  ${(await resourceUsageOf(child)).rssMb} MB`)
  }
  compareRatios()
} finally {
  for (const { child } of servers.values()) child.kill()
  rmSync(home, { recursive: true, force: true })
}
