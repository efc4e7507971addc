import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { registerOneOfEachKind, swapOf, USDC, WETH } from "../support/accounts.ts"
import { startTestService, type TestService } from "../support/testService.ts"
import { fuzz } from "./fuzz.ts"

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const requests = Number(process.env.FUZZ_REQUESTS ?? 100_000)
const millisecondsMax = Number(process.env.FUZZ_SECONDS ?? 45) * 1_000
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)

/** More than what is registered and remembered in a run comes to; a leak of a few kB a request is more than this. */
const LEAK_MB = 100

describe("any request", () => {
  it(
    "gets an answer that the OpenAPI document allows, and never an unexpected failure",
    async () => {
      const wallets = await registerOneOfEachKind(service)
      const quote = await service.request("POST", "/api/v1/crypto/swap", swapOf(wallets[0]!))
      const result = await fuzz(service, {
        seed,
        requests,
        millisecondsMax,
        concurrency: 16,
        known: {
          wallets: wallets.map(({ address }) => address),
          tokens: [
            USDC,
            WETH,
            "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
            "0xdac17f958d2ee523a2206206994597c13d831ec7"
          ],
          factories: wallets.map(({ factory }) => factory),
          owners: wallets.map(({ owner }) => owner),
          hashes: [quote.body.quotes[0].userOperationHash]
        },
        onProgress: (done) => {
          // The lines that this test keeps are not what the service holds.
          service.logLines.length = 0
          if (process.env.FUZZ_REQUESTS !== undefined) console.log(`${done} requests`)
        }
      })
      console.log(
        `fuzz: seed ${seed}, ${result.requests} requests, ` +
          `${[...result.byStatus]
            .sort(([a], [b]) => a - b)
            .map(([status, times]) => `${status}: ${times}`)
            .join(", ")}; ` +
          `live heap ${result.heldMb.warm ?? "?"} MB warm, ${result.heldMb.end} MB at the end`
      )
      assert.deepStrictEqual(result.findings, [])
      if (result.heldMb.warm !== null) assert.isBelow(result.heldMb.end - result.heldMb.warm, LEAK_MB)
      assert.isAtLeast(result.requests, 500)
      assert.strictEqual((await service.request("GET", "/healthz")).status, 200)
    },
    millisecondsMax + 120_000
  )
})
