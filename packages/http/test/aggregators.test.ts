import { deploymentOf } from "@countersign/adapters/chains/deployments"
import { verifyQuote } from "@countersign/http/verify"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import { concat, encodeFunctionData, erc20Abi, type Hex, keccak256, maxUint256, numberToHex, pad, parseAbi } from "viem"
import { executorData } from "../../adapters/sandbox/aggregators/executorCalls.ts"
import { routeExecutor } from "../../adapters/sandbox/deployment/aggregators.ts"
import type { AggregatorServer } from "../../adapters/test/aggregators/aggregatorServer.ts"
import {
  type KyberSwapServer,
  startKyberSwapServer,
  withDescription,
  withExecution
} from "../../adapters/test/aggregators/kyberSwapServer.ts"
import {
  startVeloraServer,
  type VeloraServer,
  withArgs,
  withSwapData
} from "../../adapters/test/aggregators/veloraServer.ts"
import { NATIVE, registerOneOfEachKind, swapOf, type TestWallet, USDC, WETH } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { allowanceOf, balanceOf } from "./support/balances.ts"
import { signOperations } from "./support/sign.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Tests aggregators in addition to the pools: when they are selected, and which of their calls are rejected. */

const { kyberSwapRouter, veloraRouter } = deploymentOf(1)
const WBTC = deploymentOf(1).tokens.find(({ symbol }) => symbol === "WBTC")!.address
const THIEF = `0x${"7f".repeat(20)}` as const

let service: TestService
let kyberSwap: KyberSwapServer
let velora: VeloraServer
/** Whether Velora returns a route. */
let isVeloraOpen = false
let wallet: TestWallet
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  let rpcUrl = ""
  kyberSwap = await startKyberSwapServer(() => rpcUrl)
  velora = await startVeloraServer(() => (isVeloraOpen ? rpcUrl : "http://127.0.0.1:1"))
  service = await startTestService({
    aggregators: [
      { _tag: "KyberSwap", url: kyberSwap.url, clientId: "tests", requestsPerSecond: 1_000, timeoutMs: 60_000 },
      { _tag: "Velora", url: velora.url, timeoutMs: 60_000 }
    ]
  })
  rpcUrl = service.chains.rpcUrl(1)
  wallets = await registerOneOfEachKind(service)
  wallet = wallets.find(({ name }) => name === "SimpleAccount 0.8")!
})
afterAll(async () => {
  await service.stop()
  await kyberSwap.stop()
  await velora.stop()
})

afterEach(() => {
  isVeloraOpen = false
  for (const server of [kyberSwap, velora]) {
    server.cheat = null
    server.makerBps = 0n
  }
})

const requestQuotes = async (changes: Record<string, unknown> = {}) => {
  const { body, status } = await service.request(
    "POST",
    "/api/v1/crypto/swap",
    swapOf(wallet, { routeProfile: "BEST_OUTPUT", ...changes })
  )
  assert.strictEqual(status, 200, JSON.stringify(body))
  const candidateOf = (provider: string) =>
    body.quotes[0].candidates.find((candidate: { readonly provider: string }) => candidate.provider === provider)
  return { quotes: body.quotes, kyberSwap: candidateOf("KYBERSWAP"), velora: candidateOf("VELORA") }
}

const execute = async (swapQuote: { readonly userOperationHash: string; readonly signData: never }) => {
  const { body, status } = await service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash: swapQuote.userOperationHash,
    ...(await signOperations(wallet.privateKey, swapQuote.signData))
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return service.settled(wallet.address, swapQuote.userOperationHash)
}

describe("BEST_OUTPUT with an aggregator", () => {
  it("selects the pools if they return as much", async () => {
    const { kyberSwap: candidate, quotes } = await requestQuotes()
    assert.strictEqual(quotes[0].swapProvider, "SWAP_PROVIDER_A")
    assert.strictEqual(quotes[1].swapProvider, "KYBERSWAP")
    assert.isNull(candidate.refusal)
  })

  for (const [name, provider, tokenIn, tokenOut, amountIn] of [
    ["a token for a token", "KYBERSWAP", USDC, WBTC, "10000"],
    ["native tokens for a token", "KYBERSWAP", NATIVE, USDC, "0.1"],
    ["a token for a token by Velora", "VELORA", USDC, WBTC, "10000"],
    ["native tokens for a token by Velora", "VELORA", NATIVE, USDC, "0.1"]
  ] as const) {
    it(`selects the aggregator if it returns more, and executes it: ${name}`, async () => {
      const [server, router] =
        provider === "VELORA" ? [velora, veloraRouter!] : ([kyberSwap, kyberSwapRouter!] as const)
      server.makerBps = 200n
      isVeloraOpen = provider === "VELORA"
      await service.fund(wallet.address, "native", 10n ** 18n)
      const { quotes } = await requestQuotes({ tokenIn, tokenOut, amountIn })
      const [best, second] = quotes
      assert.lengthOf(quotes, isVeloraOpen ? 3 : 2, JSON.stringify(quotes[0].candidates))
      assert.deepStrictEqual([best.swapProvider, second.swapProvider], [provider, "SWAP_PROVIDER_A"])
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
      assert.match(verification.ok ? verification.unknown.join() : "", /route of \w+ can't be decoded/u)
      const balanceBefore = await balanceOf(service, tokenOut, wallet.address)
      const settledTransaction = await execute(best)
      assert.strictEqual(settledTransaction.status, "COMPLETED", JSON.stringify(settledTransaction))
      const receivedAmount = (await balanceOf(service, tokenOut, wallet.address)) - balanceBefore
      // Gas is paid in USDC.
      if (tokenOut === USDC) assert.isTrue(receivedAmount > 0n)
      else assert.isAtLeast(Number(receivedAmount) / 1e8, Number(best.minAmountOut))
      if (tokenIn !== NATIVE) assert.strictEqual(await allowanceOf(service, tokenIn, wallet.address, router), 0n)
    })
  }

  it("receives native tokens from Velora, whose router unwraps them first", async () => {
    isVeloraOpen = true
    const { quotes, velora: candidate } = await requestQuotes({ tokenOut: NATIVE })
    assert.isNull(candidate.refusal)
    assert.strictEqual(quotes[0].swapProvider, "SWAP_PROVIDER_A")
  })
})

describe("an aggregator route", () => {
  it("requires few requests, because aggregators limit the request rate", async () => {
    const requestsOf = async (changes: Record<string, unknown>) => {
      kyberSwap.requests.length = 0
      await requestQuotes(changes)
      return kyberSwap.requests.length
    }
    // One additional request is allowed: if an earlier operation delays the quote, the quote has a later deadline.
    assert.isAtMost(await requestsOf({ amountIn: "123" }), 3)
    assert.isAtMost(await requestsOf({ amountIn: "124", gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT" }), 7)
  })

  it("is executed by each type of account, with gas deducted from the amount", async () => {
    kyberSwap.makerBps = 300n
    for (const accountWallet of wallets) {
      const { body } = await service.request(
        "POST",
        "/api/v1/crypto/swap",
        swapOf(accountWallet, {
          routeProfile: "BEST_OUTPUT",
          tokenOut: WBTC,
          amountIn: "10000",
          gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT",
          transactionFeePercent: 1
        })
      )
      const [best] = body.quotes
      assert.strictEqual(best.swapProvider, "KYBERSWAP", `${accountWallet.name}: ${JSON.stringify(best.candidates)}`)
      const { body: acceptance, status } = await service.request("POST", "/api/v1/crypto/execute-user-op", {
        userOperationHash: best.userOperationHash,
        ...(await signOperations(accountWallet.privateKey, best.signData))
      })
      assert.strictEqual(status, 200, JSON.stringify(acceptance))
      assert.strictEqual(
        (await service.settled(accountWallet.address, best.userOperationHash)).status,
        "COMPLETED",
        accountWallet.name
      )
      assert.strictEqual(await allowanceOf(service, USDC, accountWallet.address, kyberSwapRouter!), 0n)
      const heldAmount = Number(await balanceOf(service, WBTC, accountWallet.address)) / 1e8
      assert.isAtLeast(heldAmount, Number(best.minAmountOut), accountWallet.name)
    }
  })
})

const mintAbi = parseAbi(["function mint(uint256 value) returns (bool)"])

/** Appends calls to those that the route's executor makes. */
const withCalls = (calls: ReadonlyArray<{ readonly target: Hex; readonly data: Hex }>) => (built: never) =>
  withExecution(built, (execution) => {
    const ownData = `0x${execution.targetData.slice(2)}` as Hex
    return {
      ...execution,
      targetData: executorData(2n ** 40n, [
        {
          target: routeExecutor,
          value: 0n,
          data: encodeFunctionData({
            abi: parseAbi(["function callBytes(bytes data) payable"]),
            functionName: "callBytes",
            args: [ownData]
          })
        },
        ...calls.map((call) => ({ ...call, value: 0n }) as never)
      ])
    }
  })

/**
 * Sets an unlimited allowance that an earlier swap could have left. The sandbox's tokens store allowances in slot 1.
 */
const allowExecutor = async (token: string) => {
  const slotOf = (key: string, slot: Hex) => keccak256(concat([pad(key as Hex), slot]))
  const slot = slotOf(routeExecutor, slotOf(wallet.address, pad("0x1")))
  await askChain(service.chains.rpcUrl(1), "anvil_setStorageAt", token, slot, pad(numberToHex(maxUint256)))
  assert.strictEqual(await allowanceOf(service, token, wallet.address, routeExecutor), maxUint256)
}

type ForgedBuild<Server extends KyberSwapServer | VeloraServer> = NonNullable<Server["cheat"]>
type ForgedBuilds<Server extends KyberSwapServer | VeloraServer> = ReadonlyArray<
  readonly [string, ForgedBuild<Server>, RegExp]
>

const approvalData = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [THIEF, maxUint256] })

const kyberSwapCheats: ForgedBuilds<KyberSwapServer> = [
  ["another receiver", (built) => withDescription(built, { dstReceiver: THIEF }), /its output goes to 0x7f/u],
  ["a larger amount", (built) => withDescription(built, { amount: 200_000_000n }), /it sells 200 USDC instead of 100/u],
  [
    "a lower minimum output",
    (built) => withDescription(built, { minReturnAmount: 1n }),
    /minimum output is 0\.0+1 WETH/u
  ],
  ["a partial fill", (built) => withDescription(built, { flags: 1n }), /may sell only some of the amount/u],
  ["flags that take more", (built) => withDescription(built, { flags: 2n }), /allow it to take more/u],
  ["a permit", (built) => withDescription(built, { permit: "0x1234" }), /permit/u],
  [
    "a fee for a stranger",
    (built) => withDescription(built, { feeReceivers: [THIEF], feeAmounts: [1n] }),
    /a fee that was not requested to 0x7f/iu
  ],
  [
    "another token to sell",
    (built) => withDescription(built, { srcToken: WETH }),
    /it sells 0xc02a.* instead of USDC/u
  ],
  ["another token to buy", (built) => withDescription(built, { dstToken: USDC }), /it buys 0xa0b8.* instead of WETH/u],
  ["additional native tokens", (built) => ({ ...built, transactionValue: "5" }), /sends 5 wei/u],
  ["another target", (built) => ({ ...built, routerAddress: THIEF }), /goes to 0x7f.*not its router/u],
  ["an approval instead of a swap", (built) => ({ ...built, data: approvalData }), /not a swap of the router/u],
  [
    "more moved than sold",
    (built) => withDescription(built, { srcAmounts: [100_000_001n] }),
    /transfers 100000001 base units but sells 100000000/u
  ],
  [
    "an executor that returns less",
    (built) => withExecution(built, (execution) => ({ ...execution, targetData: executorData(2n ** 40n, []) })),
    /its simulation fails: .*Return amount is not enough/u
  ]
]

const veloraForgeries: ForgedBuilds<VeloraServer> = [
  ["another receiver", (built) => withSwapData(built, { beneficiary: THIEF }), /its output goes to 0x7f/u],
  [
    "a larger amount",
    (built) => withSwapData(built, { fromAmount: 200_000_000n }),
    /it sells 200 USDC instead of 100/u
  ],
  ["a lower minimum output", (built) => withSwapData(built, { toAmount: 1n }), /minimum output is 0 WETH/u],
  [
    "a minimum output of which a unit is kept",
    (built) =>
      withArgs(built, (executor, swap, ...others) => [executor, { ...swap, toAmount: swap.toAmount - 1n }, ...others]),
    /minimum output is 0\.\d+ WETH instead of the requested 0\.\d+ WETH/u
  ],
  [
    "a quote below the minimum output",
    (built) => withSwapData(built, { quotedAmount: 1n }),
    /minimum output is 0 WETH/u
  ],
  [
    "a permit",
    (built) => withArgs(built, (executor, swap, fee, _, data) => [executor, swap, fee, "0x1234", data]),
    /permit/u
  ],
  [
    "a fee for a stranger",
    (built) =>
      withArgs(built, (executor, swap, _, permit, data) => [
        executor,
        swap,
        (BigInt(THIEF) << 96n) | 100n,
        permit,
        data
      ]),
    /it pays an unrequested fee of 100 basis points to 0x7f/u
  ],
  ["another token to sell", (built) => withSwapData(built, { srcToken: WETH }), /it sells 0xc02a.* instead of USDC/u],
  ["another token to buy", (built) => withSwapData(built, { destToken: USDC }), /it buys 0xa0b8.* instead of WETH/u],
  ["additional native tokens", (built) => ({ ...built, value: "5" }), /sends 5 wei/u],
  ["another target", (built) => ({ ...built, to: THIEF }), /goes to 0x7f.*not its router/u],
  [
    "an approval instead of a swap",
    (built) => ({ ...built, data: approvalData }),
    /can't be decoded as swapExactAmountIn: it begins with 0x095ea7b3/u
  ],
  [
    "another method of the router",
    (built) => ({ ...built, data: `0x876a02f6${built.data.slice(10)}` }),
    /can't be decoded as swapExactAmountIn: it begins with 0x876a02f6/u
  ],
  [
    "an executor that returns less",
    (built) =>
      withArgs(built, (executor, swap, fee, permit) => [executor, swap, fee, permit, executorData(2n ** 40n, [])]),
    /its simulation fails: .*InsufficientReturnAmount/u
  ]
]

/** Tests that each manipulated route of a provider is rejected, and that the quotes of the other providers remain. */
const testRefusals = <Built>(
  server: () => AggregatorServer<Built>,
  provider: "kyberSwap" | "velora",
  manipulations: ReadonlyArray<readonly [string, (built: Built) => Built, RegExp]>,
  others: ReadonlyArray<string>
) => {
  for (const [name, manipulation, reason] of manipulations) {
    it(`is rejected before anything is signed: ${name} (${provider})`, async () => {
      isVeloraOpen = provider === "velora"
      server().cheat = manipulation
      const { quotes, ...candidates } = await requestQuotes()
      assert.match(candidates[provider].refusal, reason)
      assert.deepStrictEqual(
        quotes.map(({ swapProvider }: { readonly swapProvider: string }) => swapProvider),
        others
      )
    })
  }
}

describe("a hostile aggregator", () => {
  testRefusals(() => kyberSwap, "kyberSwap", kyberSwapCheats, ["SWAP_PROVIDER_A"])
  testRefusals(() => velora, "velora", veloraForgeries, ["SWAP_PROVIDER_A", "KYBERSWAP"])

  it("is rejected before anything is signed: an executor that uses an old allowance", async () => {
    const dai = deploymentOf(1).tokens.find(({ symbol }) => symbol === "DAI")!.address
    await service.fund(wallet.address, dai, 10n ** 20n)
    await allowExecutor(dai)
    const transferData = encodeFunctionData({
      abi: erc20Abi,
      functionName: "transferFrom",
      args: [wallet.address as Hex, THIEF, 5n * 10n ** 18n]
    })
    kyberSwap.cheat = withCalls([{ target: dai, data: transferData }]) as ForgedBuild<KyberSwapServer>
    const { kyberSwap: candidate, quotes } = await requestQuotes()
    assert.match(candidate.refusal, new RegExp(`also takes 5000000000000000000 base units of ${dai}`, "u"))
    assert.lengthOf(quotes, 1)
  })

  it("may pay more than the quote", async () => {
    const mintData = encodeFunctionData({ abi: mintAbi, functionName: "mint", args: [1n] })
    kyberSwap.cheat = withCalls([{ target: USDC, data: mintData }]) as ForgedBuild<KyberSwapServer>
    assert.isNull((await requestQuotes()).kyberSwap.refusal)
  })

  it("may keep the excess over the minimum, and every unit of the minimum arrives", async () => {
    isVeloraOpen = true
    velora.cheat = (built) =>
      withArgs(built, (executor, swap, _, ...others) => [
        executor,
        { ...swap, quotedAmount: swap.toAmount },
        0n,
        ...others
      ])
    assert.isNull((await requestQuotes()).velora.refusal)
  })

  it("is counted by the type of manipulation", async () => {
    const { body } = await service.request("GET", "/metrics")
    for (const kind of ["RECIPIENT", "AMOUNT", "MINIMUM", "PARTIAL_FILL", "PERMIT", "TAKES_MORE"]) {
      assert.match(body, new RegExp(`swap_routes_refused_total\\{[^}]*fault="${kind}"[^}]*\\} [1-9]`, "u"))
    }
  })
})
