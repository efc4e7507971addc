import { registerOneOfEachKind, swapOf } from "../test/support/accounts.ts"
import { askChain } from "../test/support/askChain.ts"
import { startTestService } from "../test/support/testService.ts"

/**
 * Compares the duration of a quote over HTTP, after a warm-up, with the duration of its requests to the node. Directly
 * after each quote, the same requests are sent again to the same node, in the same order and with the same concurrency.
 * Run it with `npm run bench:quote -w packages/http`. QUOTES is the number of quotes. DISTANCE_MS adds latency to each
 * request to the node, also to the repeated ones.
 */

const quotes = Number(process.env.QUOTES ?? 200)
const distanceMs = Number(process.env.DISTANCE_MS ?? 0)
const warmUp = 30

interface Exchange {
  readonly url: string
  readonly init: RequestInit
  /** The number of requests that had ended when this request started. */
  readonly after: number
}

const distantFetch = globalThis.fetch
const bareFetch: typeof fetch = async (input, init) => {
  if (distanceMs > 0 && String(input).startsWith(nodeUrl))
    await new Promise((resolve) => setTimeout(resolve, distanceMs))
  return distantFetch(input, init)
}
let recordedExchanges: Array<Exchange> | null = null
let endedCount = 0
let nodeUrl = ""
globalThis.fetch = async (input, init) => {
  const url = String(input)
  const isRecorded = recordedExchanges !== null && init !== undefined && url.startsWith(nodeUrl)
  if (isRecorded) {
    recordedExchanges!.push({
      url,
      init: { method: "POST", headers: init.headers!, body: init.body! },
      after: endedCount
    })
  }
  const response = await bareFetch(input, init)
  if (isRecorded) endedCount += 1
  return response
}

const service = await startTestService()
nodeUrl = service.chains.rpcUrl(1)

const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

const replay = async (exchanges: ReadonlyArray<Exchange>): Promise<void> => {
  for (const concurrentExchanges of Map.groupBy(exchanges, ({ after }) => after).values()) {
    await Promise.all(
      concurrentExchanges.map(async ({ init, url }) => JSON.parse(await (await bareFetch(url, init)).text()))
    )
  }
}

const measureTime = async (run: () => Promise<unknown>) => {
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
  await run()
  const usedCpu = process.cpuUsage(cpu)
  return { ms: performance.now() - startedAt, cpuMs: (usedCpu.user + usedCpu.system) / 1_000 }
}

try {
  const [, wallet] = await registerOneOfEachKind(service)
  const rows: Array<Record<string, string | number>> = []
  for (const routeProfile of ["QUICKEST_QUOTE", "BEST_OUTPUT"]) {
    for (const block of ["the same block", "a new block"] as const) {
      const quoteTimes: Array<Awaited<ReturnType<typeof measureTime>>> = []
      const replayTimes: typeof quoteTimes = []
      const requests: Array<number> = []
      for (let i = 0; i < warmUp + quotes; i++) {
        if (block === "a new block") await askChain(nodeUrl, "anvil_mine", "0x1")
        // The amount is different each time, because equal requests get the same response.
        const body = swapOf(wallet!, { amountIn: (100 + i * 0.37).toFixed(6), routeProfile })
        recordedExchanges = []
        endedCount = 0
        const quote = await measureTime(async () => {
          const { status } = await service.request("POST", "/api/v1/crypto/swap", body)
          if (status !== 200) throw new Error(`no quote: ${status}`)
        })
        const exchanges = recordedExchanges
        recordedExchanges = null
        const replayTime = await measureTime(() => replay(exchanges))
        if (i < warmUp) continue
        quoteTimes.push(quote)
        replayTimes.push(replayTime)
        requests.push(exchanges.length)
      }
      const [quoteMs, bareMs] = [median(quoteTimes.map(({ ms }) => ms)), median(replayTimes.map(({ ms }) => ms))]
      rows.push({
        profile: routeProfile,
        in: block,
        "requests to the node": median(requests),
        "quote, ms": quoteMs.toFixed(1),
        "bare requests, ms": bareMs.toFixed(1),
        ratio: (quoteMs / bareMs).toFixed(2),
        "CPU time in addition to the requests', ms": (
          median(quoteTimes.map(({ cpuMs }) => cpuMs)) - median(replayTimes.map(({ cpuMs }) => cpuMs))
        ).toFixed(1)
      })
    }
  }
  console.table(rows)
} finally {
  await service.stop()
}
