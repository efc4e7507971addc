import { deploymentOf } from "@countersign/adapters/deployments"
import { verifyQuote } from "@countersign/http/verify"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { concat, encodeFunctionData, erc20Abi, type Hex, keccak256, maxUint256, numberToHex, pad, parseAbi } from "viem"
import { executorData } from "../../adapters/sandbox/aggregators/executorCalls.ts"
import { kyberSwapExecutor } from "../../adapters/sandbox/deployment/kyberSwap.ts"
import {
  type KyberSwapServer,
  startKyberSwapServer,
  withDescription,
  withExecution
} from "../../adapters/test/aggregators/kyberSwapServer.ts"
import { NATIVE, registerOneOfEachKind, swapOf, type TestWallet, USDC, WETH } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { allowanceOf, balanceOf } from "./support/balances.ts"
import { signatures } from "./support/sign.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** A second book beside the pools: what it gives more, and what it must not do. */

const ROUTER = deploymentOf(1).kyberSwapRouter!
const WBTC = deploymentOf(1).tokens.find(({ symbol }) => symbol === "WBTC")!.address
const THIEF = `0x${"7f".repeat(20)}` as const

let service: TestService
let kyberSwap: KyberSwapServer
let wallet: TestWallet
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  let rpcUrl = ""
  kyberSwap = await startKyberSwapServer(() => rpcUrl)
  service = await startTestService({
    aggregators: [
      { _tag: "KyberSwap", url: kyberSwap.url, clientId: "tests", requestsPerSecond: 1_000, timeoutMs: 10_000 }
    ]
  })
  rpcUrl = service.chains.rpcUrl(1)
  wallets = await registerOneOfEachKind(service)
  wallet = wallets.find(({ name }) => name === "SimpleAccount 0.8")!
})
afterAll(async () => {
  await service.stop()
  await kyberSwap.stop()
})

const quote = async (changes: Record<string, unknown> = {}) => {
  const { body, status } = await service.request(
    "POST",
    "/api/v1/crypto/swap",
    swapOf(wallet, { routeProfile: "BEST_OUTPUT", ...changes })
  )
  assert.strictEqual(status, 200, JSON.stringify(body))
  const named = (provider: string) =>
    body.quotes[0].candidates.find((candidate: { readonly provider: string }) => candidate.provider === provider)
  return { quotes: body.quotes, kyberSwap: named("KYBERSWAP"), pools: named("SWAP_PROVIDER_A") }
}

const execute = async (best: { readonly userOperationHash: string; readonly signData: never }) => {
  const { body, status } = await service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash: best.userOperationHash,
    ...(await signatures(wallet.privateKey, best.signData))
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return service.settled(wallet.address, best.userOperationHash)
}

describe("BEST_OUTPUT with an aggregator", () => {
  it("takes the pools where they give as much", async () => {
    const { kyberSwap: candidate, quotes } = await quote()
    assert.strictEqual(quotes[0].swapProvider, "SWAP_PROVIDER_A")
    assert.strictEqual(quotes[1].swapProvider, "KYBERSWAP")
    assert.isNull(candidate.refusal)
  })

  for (const [name, tokenIn, tokenOut, amountIn] of [
    ["a token for a token", USDC, WBTC, "10000"],
    ["the coin for a token", NATIVE, USDC, "0.1"]
  ] as const) {
    it(`takes the aggregator where it gives more, and executes it: ${name}`, async () => {
      kyberSwap.makerBps = 200n
      await service.fund(wallet.address, "native", 10n ** 18n)
      const { quotes } = await quote({ tokenIn, tokenOut, amountIn })
      const [best, second] = quotes
      assert.lengthOf(quotes, 2, JSON.stringify(quotes[0].candidates))
      assert.deepStrictEqual([best.swapProvider, second.swapProvider], ["KYBERSWAP", "SWAP_PROVIDER_A"])
      assert.isUndefined(best.revertReason)
      assert.isAbove(Number(best.minAmountOut), Number(second.minAmountOut))
      const verification = verifyQuote({
        request: swapOf(wallet, { routeProfile: "BEST_OUTPUT", tokenIn, tokenOut, amountIn }) as never,
        quote: best,
        account: {
          walletAddress: wallet.address,
          factory: wallet.factory,
          externallyOwnedAccount: wallet.owner,
          salt: 0
        },
        trust: { paymasters: Object.values(service.chains.paymasters), decimals: { [USDC]: 6, [WBTC]: 8 } }
      })
      assert.deepStrictEqual(verification.ok ? [] : verification.problems, [])
      assert.match(verification.ok ? verification.unknown.join() : "", /executor makes calls that can't be read/u)
      const before = await balanceOf(service, tokenOut, wallet.address)
      const settled = await execute(best)
      assert.strictEqual(settled.status, "COMPLETED", JSON.stringify(settled))
      const received = (await balanceOf(service, tokenOut, wallet.address)) - before
      assert.isTrue(received > 0n)
      if (tokenIn !== NATIVE) assert.strictEqual(await allowanceOf(service, tokenIn, wallet.address, ROUTER), 0n)
      kyberSwap.makerBps = 0n
    })
  }
})

describe("a route of an aggregator", () => {
  it("is asked for by few requests, because those are limited", async () => {
    const requestsOf = async (changes: Record<string, unknown>) => {
      kyberSwap.requests.length = 0
      await quote(changes)
      return kyberSwap.requests.length
    }
    // Another one where the operation waits for one before it, and has a later deadline.
    assert.isAtMost(await requestsOf({ amountIn: "123" }), 3)
    assert.isAtMost(await requestsOf({ amountIn: "124", gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT" }), 7)
  })

  it("is executed by each kind of account, with gas out of the amount", async () => {
    kyberSwap.makerBps = 300n
    for (const each of wallets) {
      const { body } = await service.request(
        "POST",
        "/api/v1/crypto/swap",
        swapOf(each, {
          routeProfile: "BEST_OUTPUT",
          tokenOut: WBTC,
          amountIn: "10000",
          gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT",
          transactionFeePercent: 1
        })
      )
      const [best] = body.quotes
      assert.strictEqual(best.swapProvider, "KYBERSWAP", `${each.name}: ${JSON.stringify(best.candidates)}`)
      const { body: accepted, status } = await service.request("POST", "/api/v1/crypto/execute-user-op", {
        userOperationHash: best.userOperationHash,
        ...(await signatures(each.privateKey, best.signData))
      })
      assert.strictEqual(status, 200, JSON.stringify(accepted))
      assert.strictEqual((await service.settled(each.address, best.userOperationHash)).status, "COMPLETED", each.name)
      assert.strictEqual(await allowanceOf(service, USDC, each.address, ROUTER), 0n)
      const held = Number(await balanceOf(service, WBTC, each.address)) / 1e8
      assert.isAtLeast(held, Number(best.minAmountOut), each.name)
    }
    kyberSwap.makerBps = 0n
  })
})

const mint = parseAbi(["function mint(uint256 value) returns (bool)"])

/** A route whose executor makes these calls too. */
const withCalls = (calls: ReadonlyArray<{ readonly target: Hex; readonly data: Hex }>) => (built: never) =>
  withExecution(built, (execution) => {
    const own = `0x${execution.targetData.slice(2)}` as Hex
    return {
      ...execution,
      targetData: executorData(2n ** 40n, [
        {
          target: kyberSwapExecutor,
          value: 0n,
          data: encodeFunctionData({
            abi: parseAbi(["function callBytes(bytes data) payable"]),
            functionName: "callBytes",
            args: [own]
          })
        },
        ...calls.map((call) => ({ ...call, value: 0n }) as never)
      ])
    }
  })

/** An allowance that was given once, and never ended. The sandbox's tokens have them in slot 1. */
const allowExecutor = async (token: string) => {
  const slotOf = (key: string, slot: Hex) => keccak256(concat([pad(key as Hex), slot]))
  const slot = slotOf(kyberSwapExecutor, slotOf(wallet.address, pad("0x1")))
  await askChain(service.chains.rpcUrl(1), "anvil_setStorageAt", token, slot, pad(numberToHex(maxUint256)))
  assert.strictEqual(await allowanceOf(service, token, wallet.address, kyberSwapExecutor), maxUint256)
}

type Cheat = NonNullable<KyberSwapServer["cheat"]>

const cheats: ReadonlyArray<readonly [string, Cheat, RegExp]> = [
  ["another receiver", (built) => withDescription(built, { dstReceiver: THIEF }), /what it buys goes to 0x7f/u],
  ["a larger amount", (built) => withDescription(built, { amount: 200_000_000n }), /it sells 200 USDC and not 100/u],
  ["a lower least output", (built) => withDescription(built, { minReturnAmount: 1n }), /as little as 0\.0+1 WETH/u],
  ["a partial fill", (built) => withDescription(built, { flags: 1n }), /may sell a part/u],
  ["flags that take more", (built) => withDescription(built, { flags: 2n }), /let it take more/u],
  ["a permit", (built) => withDescription(built, { permit: "0x1234" }), /permit/u],
  [
    "a fee for a stranger",
    (built) => withDescription(built, { feeReceivers: [THIEF], feeAmounts: [1n] }),
    /a fee that was not asked for to 0x7f/iu
  ],
  ["another token to sell", (built) => withDescription(built, { srcToken: WETH }), /it sells 0xc02a.* and not USDC/u],
  ["another token to buy", (built) => withDescription(built, { dstToken: USDC }), /it buys 0xa0b8.* and not WETH/u],
  ["coin besides", (built) => ({ ...built, transactionValue: "5" }), /sends 5 wei/u],
  ["another target", (built) => ({ ...built, routerAddress: THIEF }), /goes to 0x7f.*not its router/u],
  [
    "an approval in place of a swap",
    (built) => ({
      ...built,
      data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [THIEF, maxUint256] })
    }),
    /none of the router's swaps/u
  ],
  [
    "more moved than sold",
    (built) => withDescription(built, { srcAmounts: [100_000_001n] }),
    /moves 100000001 base units and sells 100000000/u
  ],
  [
    "an executor that gives less",
    (built) => withExecution(built, (execution) => ({ ...execution, targetData: executorData(2n ** 40n, []) })),
    /a run of it fails: .*Return amount is not enough/u
  ]
]

describe("a hostile aggregator", () => {
  for (const [name, cheat, reason] of cheats) {
    it(`is refused before anything is signed: ${name}`, async () => {
      kyberSwap.cheat = cheat
      const { kyberSwap: candidate, quotes } = await quote()
      assert.match(candidate.refusal, reason)
      assert.deepStrictEqual(
        quotes.map(({ swapProvider }: { readonly swapProvider: string }) => swapProvider),
        ["SWAP_PROVIDER_A"]
      )
      kyberSwap.cheat = null
    })
  }

  it("is refused before anything is signed: an executor that uses an old allowance", async () => {
    const other = deploymentOf(1).tokens.find(({ symbol }) => symbol === "DAI")!.address
    await service.fund(wallet.address, other, 10n ** 20n)
    await allowExecutor(other)
    const steal = encodeFunctionData({
      abi: erc20Abi,
      functionName: "transferFrom",
      args: [wallet.address as Hex, THIEF, 5n * 10n ** 18n]
    })
    kyberSwap.cheat = withCalls([{ target: other, data: steal }]) as Cheat
    const { kyberSwap: candidate, quotes } = await quote()
    assert.match(candidate.refusal, new RegExp(`takes 5000000000000000000 base units of ${other} besides`, "u"))
    assert.lengthOf(quotes, 1)
    kyberSwap.cheat = null
  })

  it("may be generous", async () => {
    const gift = encodeFunctionData({ abi: mint, functionName: "mint", args: [1n] })
    kyberSwap.cheat = withCalls([{ target: USDC, data: gift }]) as Cheat
    assert.isNull((await quote()).kyberSwap.refusal)
    kyberSwap.cheat = null
  })

  it("is counted by what it did", async () => {
    const { body } = await service.request("GET", "/metrics")
    for (const kind of ["RECIPIENT", "AMOUNT", "MINIMUM", "PARTIAL_FILL", "PERMIT", "TAKES_MORE"]) {
      assert.match(body, new RegExp(`swap_routes_refused_total\\{[^}]*fault="${kind}"[^}]*\\} [1-9]`, "u"))
    }
  })
})
