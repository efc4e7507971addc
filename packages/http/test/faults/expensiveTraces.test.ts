import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { FaultProxy, type ResponseOverride } from "../../../adapters/test/faults/FaultProxy.ts"
import { NATIVE, registerOneOfEachKind, swapOf, type TestWallet } from "../support/accounts.ts"
import { askChain } from "../support/askChain.ts"
import {
  startTestService,
  type TestResponse,
  type TestService,
  type TestServiceOptions
} from "../support/testService.ts"

/** Tests operations whose traces are as slow and as large as a contract can make them. */

const BOMB = "0xb0b0000000000000000000000000000000000b0b"
/** Executes `CALL(gas: 0, to: 0xff)` 80,000 times. */
const BOMB_CODE = "0x620138805b5f5f5f5f5f60ff5ff15060019003806004570000"

let target = ""
let proxy: FaultProxy
let service: TestService
let wallets: ReadonlyArray<TestWallet>

const start = async (rpcLimits: TestServiceOptions["rpcLimits"]) => {
  proxy = await FaultProxy.start(() => target)
  service = await startTestService({
    ...(rpcLimits === undefined ? {} : { rpcLimits }),
    rpcUrls: (sandboxUrl) => {
      target = sandboxUrl
      return [proxy.url]
    }
  })
  wallets = await registerOneOfEachKind(service)
  await service.fund(wallets[0]!.address, "native", 10n ** 19n)
  await askChain(target, "anvil_setCode", BOMB, BOMB_CODE)
  assert.strictEqual((await requestHonestQuote()).status, 200)
}
const stop = async () => {
  await service.stop()
  await proxy.stop()
}

const requestBombTransfer = (): Promise<TestResponse> =>
  service.request("POST", "/api/v1/crypto/transfer", {
    walletAddress: wallets[0]!.address,
    chainId: 1,
    token: NATIVE,
    amount: "0.1",
    toAddress: BOMB,
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    payGasFeeToken: NATIVE
  })

const requestHonestQuote = (): Promise<TestResponse> =>
  service.request("POST", "/api/v1/crypto/swap", swapOf(wallets[1]!))

/** Sends ordinary swap requests until `others` ends, and two or three afterwards. All of them must succeed. */
const withNormalRequests = async <A>(others: Promise<A>): Promise<A> => {
  let isOver = false
  const othersResult = others.finally(() => {
    isOver = true
  })
  for (let extraRounds = 0; extraRounds < 3; extraRounds += isOver ? 1 : 0) {
    const { body, status } = await requestHonestQuote()
    assert.strictEqual(status, 200, JSON.stringify(body))
  }
  return othersResult
}

const assertFailsAlone = async (response: () => Promise<unknown>, expectedReason: RegExp): Promise<void> => {
  const responseOverride: ResponseOverride = ({ method, params }) =>
    method === "debug_traceCall" && JSON.stringify(params).includes(BOMB.slice(2)) ? response() : undefined
  proxy.fault = { _tag: "Lies", lie: responseOverride }
  const responses = await withNormalRequests(Promise.all(Array.from({ length: 6 }, requestBombTransfer)))
  proxy.fault = { _tag: "None" }
  for (const { body, status } of responses) {
    assert.strictEqual(status, 502, JSON.stringify(body))
    assert.strictEqual(body.id, "UPSTREAM_UNAVAILABLE")
    assert.match(body.message, /can't trace the request, which may call too many contracts/u)
    assert.match(body.message, expectedReason)
  }
}

describe("an expensive trace", () => {
  // Uses the usual limits of the tests, because the sandbox's node runs on this machine and executes nothing else
  // during a trace.
  beforeAll(() => start(undefined), 240_000)
  afterAll(stop)

  it("of a contract that makes 80 000 calls is within the limits", async () => {
    const requestBombs = async () => [
      await requestBombTransfer(),
      await requestBombTransfer(),
      await requestBombTransfer()
    ]
    for (const { body, status } of await withNormalRequests(requestBombs())) {
      assert.strictEqual(status, 200, JSON.stringify(body))
      assert.match(JSON.stringify(body), /Out of gas/u)
    }
  })

  it("of 20 MB fails only its own request", () =>
    assertFailsAlone(() => Promise.resolve("x".repeat(20_000_000)), /a response of more than 8 MB/u))
})

describe("a slow trace", () => {
  beforeAll(() => start({ timeoutMs: 8_000, deadlineMs: 16_000 }), 240_000)
  afterAll(stop)

  it("that never arrives fails only its own request", () => {
    const neverPromise = new Promise<never>(() => undefined)
    return assertFailsAlone(() => neverPromise, /no response within 8000 ms/u)
  })
})
