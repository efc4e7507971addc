import { fork } from "node:child_process"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { UnpaidGasLimits } from "@countersign/core/operations/unpaid-gas"
import { registerOneOfEachKind } from "../test/support/accounts.ts"
import { startTestService } from "../test/support/testService.ts"
import { type Caller, quoteBatch, quoteBest, quoteOne } from "./neighbour/requests.ts"

/**
 * Compares the duration of a project's quote, after a warm-up, with and without another project that sends as many
 * requests as it can: batches of 100 swaps, and quotes with the route profile BEST_OUTPUT. The other project sends a
 * new request after each response. Run it with `npm run bench:neighbour -w packages/http`. SECONDS is the length of a
 * measurement, and BATCHES and QUOTES are the numbers of concurrent requests of the other project.
 */

const seconds = Number(process.env.SECONDS ?? 30)
const batches = Number(process.env.BATCHES ?? 16)
const best = Number(process.env.QUOTES ?? 64)
const warmUp = 30
const batchesAlone = 12

// High, because the quotes of so many batches would exceed the default limit of a project for unpaid gas.
const usdE6PerDay = 10n ** 12n
const service = await startTestService({
  unpaidGasLimits: {
    ...UnpaidGasLimits.defaultValue(),
    projectUsdE6PerDay: usdE6PerDay,
    operatorUsdE6PerDay: usdE6PerDay
  }
})

const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Returns the CPU time of this process and the elapsed time for each of several sequential batches. */
const measureBatches = async (caller: Caller) => {
  const cpuMs: Array<number> = []
  const wholeMs: Array<number> = []
  for (let i = 0; i < batchesAlone; i++) {
    const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
    await quoteBatch(caller)
    const { system, user } = process.cpuUsage(cpu)
    cpuMs.push((user + system) / 1_000)
    wholeMs.push(performance.now() - startedAt)
  }
  return { cpuMs: median(cpuMs), wholeMs: median(wholeMs) }
}

/** Requests quotes one after another for the length of a measurement. */
const measureQuotes = async (caller: Caller) => {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const times: Array<number> = []
  const startedAt = performance.now()
  while (performance.now() - startedAt < seconds * 1_000) {
    const sentAt = performance.now()
    await quoteOne(caller)
    times.push(performance.now() - sentAt)
  }
  delay.disable()
  times.sort((a, b) => a - b)
  const percentile = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!
  return {
    quotes: times.length,
    p50: percentile(0.5),
    p99: percentile(0.99),
    max: times.at(-1)!,
    loopP99: delay.percentile(99) / 1e6,
    loopMax: delay.max / 1e6
  }
}

try {
  const [knownWallet] = await registerOneOfEachKind(service)
  const busyCaller: Caller = { baseUrl: service.baseUrl, apiKey: service.apiKey, wallet: knownWallet! }
  const { apiKey } = await service.newProject(null)

  const registration = { externallyOwnedAccount: knownWallet!.owner, factory: knownWallet!.factory, eip7702: false }
  await service.request("POST", "/api/v1/wallets/register", registration, { "x-api-key": apiKey })
  const quietCaller: Caller = { ...busyCaller, apiKey }
  for (let i = 0; i < warmUp; i++) {
    await quoteOne(quietCaller)
    await quoteBest(busyCaller)
    if (i % 5 === 0) await quoteBatch(busyCaller)
  }

  const { cpuMs, wholeMs } = await measureBatches(busyCaller)
  console.log(`a batch of 100 swaps: ${cpuMs.toFixed(0)} ms of CPU time, ${wholeMs.toFixed(0)} ms in total`)
  const baseline = await measureQuotes(quietCaller)
  const load = fork(join(import.meta.dirname, "neighbour/load.ts"), [JSON.stringify([busyCaller, batches, best])])
  const report = new Promise((resolve) => load.once("message", resolve))
  const underLoad = await measureQuotes(quietCaller)
  load.send("stop")
  const row = ({ loopMax, loopP99, max, p50, p99, quotes }: typeof baseline) => ({
    quotes,
    "p50, ms": p50.toFixed(0),
    "p99, ms": p99.toFixed(0),
    "max, ms": max.toFixed(0),
    "event loop late, p99 and max, ms": `${loopP99.toFixed(0)}, ${loopMax.toFixed(0)}`
  })
  console.table({
    alone: row(baseline),
    "next to the other": row(underLoad),
    ratio: {
      "p50, ms": (underLoad.p50 / baseline.p50).toFixed(1),
      "p99, ms": (underLoad.p99 / baseline.p99).toFixed(1),
      "max, ms": (underLoad.max / baseline.max).toFixed(1)
    }
  })
  console.log("the other:", JSON.stringify(await report))
} finally {
  await service.stop()
}
