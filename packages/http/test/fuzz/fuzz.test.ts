import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { seedOf, shortOrLong } from "../../../core/test/support/longTests.ts"
import { positionOf, registerOneOfEachKind, swapOf, type TestWallet, USDC, WETH } from "../support/accounts.ts"
import { startTestService, type TestService } from "../support/testService.ts"
import { fuzz } from "./fuzz.ts"

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const requestCount = Number(process.env.FUZZ_REQUESTS ?? shortOrLong(700, 100_000))
/** Minimum number of requests, whatever the time limit. */
const REQUESTS_MIN = 500
const millisecondsMax = Number(process.env.FUZZ_SECONDS ?? 45) * 1_000
const seed = seedOf("FUZZ_SEED")

const WETH_USDC_POOL = "1-0x8ad599c3a0ff1de082011efddc58f1908eb6e6d8"
const WBTC_USDC_MARKET = "0x3a85e619751152991742810df6ec69ce473daef99e28a64ab2340d7b7ccfee49"

/** Prepares an operation of a wallet and executes it. */
const executeAndWait = async (wallet: TestWallet, path: string, request: object) => {
  const { body, status } = await service.request("POST", path, { walletAddress: wallet.address, ...request })
  assert.strictEqual(status, 200, JSON.stringify(body))
  const { signData, userOperationHash } = body.operation ?? body
  await service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash,
    ...(await service.signatures(wallet.privateKey, signData))
  })
  return service.settled(wallet.address, userOperationHash)
}

const createPosition = async (wallet: TestWallet): Promise<string> => {
  const transaction = await executeAndWait(wallet, "/api/v1/liquidity", positionOf(wallet))
  return transaction.liquidity.tokenId
}

const createLoan = async (wallet: TestWallet): Promise<void> => {
  await executeAndWait(wallet, "/api/v1/lending/quote", {
    provider: "LENDING_PROVIDER_A",
    supply: { chainId: 1, tokenAddress: USDC, amount: "10000" },
    borrow: { chainId: 1, tokenAddress: WETH, amount: "1" },
    gas: { tokenAddress: USDC, paymentMethod: "ADD_TO_AMOUNT" }
  })
}

/** In MB. The registrations and caches of a run need less. A leak of a few kB per request needs more. */
const LEAK_MB = 100

describe("any request", () => {
  it(
    "gets a response that the OpenAPI document allows, and never an unexpected failure",
    async () => {
      const wallets = await registerOneOfEachKind(service)
      const quote = await service.request("POST", "/api/v1/crypto/swap", swapOf(wallets[0]!))
      const positionId = await createPosition(wallets[0]!)
      await createLoan(wallets[1]!)
      const result = await fuzz(service, {
        seed,
        requests: requestCount,
        requestsMin: REQUESTS_MIN,
        millisecondsMax,
        concurrency: 16,
        knownValues: {
          wallets: wallets.map(({ address }) => address),
          tokens: [
            USDC,
            WETH,
            "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
            "0xdac17f958d2ee523a2206206994597c13d831ec7"
          ],
          factories: wallets.map(({ factory }) => factory),
          owners: wallets.map(({ owner }) => owner),
          nfts: [positionId, "1"],
          pools: [WETH_USDC_POOL],
          markets: [WBTC_USDC_MARKET],
          hashes: [quote.body.quotes[0].userOperationHash]
        },
        onProgress: (doneCount) => {
          // Deletes the log lines that the test stores, so that they do not count as memory of the service.
          service.logLines.length = 0
          if (process.env.FUZZ_REQUESTS !== undefined) console.log(`${doneCount} requests`)
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
      assert.isAtLeast(result.requests, REQUESTS_MIN)
      assert.strictEqual((await service.request("GET", "/healthz")).status, 200)
    },
    millisecondsMax + 600_000
  )
})
