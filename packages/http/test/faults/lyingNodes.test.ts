import { ExecutionStore } from "@countersign/core/operations/executions"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { FaultProxy, type ResponseOverride } from "../../../adapters/test/faults/FaultProxy.ts"
import { waitUntilTrue } from "../../../core/test/support/until.ts"
import { registerOneOfEachKind, swapOf, type TestWallet } from "../support/accounts.ts"
import { askChain } from "../support/askChain.ts"
import { startTestService, type TestService } from "../support/testService.ts"
import { hideEverything, lieCases, otherBlocks, tracesAlone } from "./responseOverrides.ts"

/** Tests that a lying node can delay the end of an operation, but cannot determine its outcome. */

const FINALITY = 10

let target = ""
let proxy: FaultProxy
let service: TestService
let wallet: TestWallet

const start = async (otherUrls: (sandboxUrl: string) => ReadonlyArray<string>) => {
  proxy = await FaultProxy.start(() => target)
  service = await startTestService({
    finality: () => ({ blocks: FINALITY, pollEveryMs: 100 }),
    rpcUrls: (sandboxUrl) => {
      target = sandboxUrl
      return [proxy.url, ...otherUrls(sandboxUrl)]
    }
  })
  ;[wallet] = (await registerOneOfEachKind(service)) as [TestWallet]
  // Deploys the account first, because only one of two operations that both deploy an account can succeed.
  assert.strictEqual((await service.settled(wallet.address, await execute())).status, "COMPLETED")
}

const stop = async () => {
  await service.stop()
  await proxy.stop()
}

const requestQuote = async () => {
  const { body, status } = await service.request("POST", "/api/v1/crypto/swap", swapOf(wallet, { slippage: 10 }))
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.quotes[0]
}

const execute = async (existingQuote?: Awaited<ReturnType<typeof requestQuote>>): Promise<string> => {
  const { signData, userOperationHash } = existingQuote ?? (await requestQuote())
  const { body, status } = await service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash,
    ...(await service.signatures(wallet.privateKey, signData))
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return userOperationHash
}

const statusOf = async (hash: string): Promise<string> => {
  const path = `/api/v1/wallets/${wallet.address}/history?userOperationHash=${hash}`
  return (await service.request("GET", path)).body.transactions[0].status
}

/** Returns the number of searches for the operation at the lying node. A search is a log request. */
const countSearches = () => proxy.requestedMethods.filter((method) => method === "eth_getLogs").length

/** Waits until the service has searched for the operation this many times while the node lied. */
const waitForSearches = (count: number): Promise<void> => waitUntilTrue(() => countSearches() >= count)

/** Calls the node behind the lying proxy. */
const callRpc = (method: string, ...params: ReadonlyArray<unknown>) => askChain(target, method, ...params)

const mineBlock = () => callRpc("anvil_mine", "0x1")

const isInBlock = async (hash: string): Promise<boolean> =>
  (await callRpc("eth_getLogs", { fromBlock: "0x0", toBlock: "latest", topics: [null, hash] })).length > 0

const SEARCHES = 5

const describeLies = (
  name: string,
  others: (sandboxUrl: string) => ReadonlyArray<string>,
  shouldEnd: (one: (typeof lieCases)[number]) => boolean
) =>
  describe(name, () => {
    beforeAll(() => start(others), 120_000)
    afterAll(stop)

    it.each(lieCases)("when a node $name", async (lieCase) => {
      const preparedQuote = await requestQuote()
      proxy.requestedMethods.length = 0
      proxy.fault = { _tag: "Lies", lie: lieCase.lie() }
      const hash = await execute(preparedQuote)
      if (shouldEnd(lieCase)) {
        assert.strictEqual((await service.settled(wallet.address, hash)).status, "COMPLETED")
      } else {
        await waitForSearches(SEARCHES)
        assert.strictEqual(await statusOf(hash), "PROCESSING")
      }
      proxy.fault = { _tag: "None" }
      assert.strictEqual((await service.settled(wallet.address, hash)).status, "COMPLETED")
    })
  })

/** Returns whether the next check of the operation's inclusion is due later, so that the clock must advance first. */
const isNextCheckLater = () =>
  service.run(
    Effect.gen(function* () {
      const now = yield* DateTime.now
      const stages = yield* ExecutionStore.use((store) => store.countPending(null, now))
      return stages.some(({ dueAt, stage }) => stage === "inclusion" && DateTime.isGreaterThan(dueAt, now))
    })
  )

/**
 * Checks that the operation stays pending while a node lies for far longer than any operation may take. Each change of
 * the clock mines a block, and the sandbox traces only the last 32 blocks, so the clock changes once per check.
 */
const assertWaits = async (responseOverride: ResponseOverride) => {
  const preparedQuote = await requestQuote()
  proxy.requestedMethods.length = 0
  proxy.fault = { _tag: "Lies", lie: responseOverride }
  const hash = await execute(preparedQuote)
  await waitUntilTrue(() => isInBlock(hash))
  // Each step exceeds the delay until the next check, which is at most half of the time since the submission.
  for (let minutes = 3; minutes < 300; minutes *= 2) {
    const previousSearchCount = countSearches()
    await service.advanceClock(60 * minutes)
    await waitUntilTrue(async () => {
      if (countSearches() > previousSearchCount) return true
      if (await isNextCheckLater()) await service.advanceClock(60 * minutes)
      return false
    })
    assert.strictEqual(await statusOf(hash), "PROCESSING")
  }
  proxy.fault = { _tag: "None" }
  // A check that started while the node lied is repeated after the change of the clock.
  await waitUntilTrue(
    async () => {
      await service.advanceClock(86_400)
      return (await statusOf(hash)) !== "PROCESSING"
    },
    { pollMs: 250 }
  )
  assert.strictEqual(await statusOf(hash), "COMPLETED")
}

describe.each([
  [
    "alone",
    () => [],
    [
      ["has only traces", tracesAlone],
      ["has nothing but traces, and free nonces", hideEverything]
    ]
  ],
  [
    "with a second node",
    (sandboxUrl: string) => [sandboxUrl],
    [["has nothing but traces, and free nonces", hideEverything]]
  ]
] as const)("%s, a node that lies", (_, others, responseOverrides) => {
  beforeAll(() => start(others), 120_000)
  afterAll(stop)
  afterEach(() => {
    proxy.fault = { _tag: "None" }
  })

  it.each(responseOverrides)(
    "fails no operation that is in a block, even long after the expiry of the operation: it %s",
    (__, responseOverride) => assertWaits(responseOverride)
  )
})

describe("with a second node, a node that lies", () => {
  beforeAll(() => start((sandboxUrl) => [sandboxUrl]), 120_000)
  afterAll(stop)
  afterEach(() => {
    proxy.fault = { _tag: "None" }
  })

  it("does not cause a reorg event", async () => {
    const hash = await execute()
    assert.strictEqual((await service.settled(wallet.address, hash)).status, "COMPLETED")
    proxy.fault = { _tag: "Lies", lie: otherBlocks }
    // The service requests the block once per head. If the block seems to be missing, it queries the other node.
    for (let blocks = 0; blocks < FINALITY - 2; blocks++) {
      proxy.requestedMethods.length = 0
      await mineBlock()
      await waitUntilTrue(
        () => proxy.requestedMethods.filter((method) => method === "eth_getBlockByNumber").length >= 4
      )
      assert.strictEqual(await statusOf(hash), "COMPLETED")
    }
  })
})

describeLies(
  "with one node, the status is right in the end",
  () => [],
  ({ endsAlone }) => endsAlone
)

describeLies(
  "with a second node, the status is right in the end",
  (sandboxUrl) => [sandboxUrl],
  ({ endsBesideAnother }) => endsBesideAnother
)
