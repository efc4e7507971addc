import { deploymentOf } from "@countersign/adapters/chains/deployments"
import { verifyQuote } from "@countersign/http/verify"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import {
  concat,
  decodeAbiParameters,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  maxUint256,
  numberToHex,
  pad,
  parseAbiParameters
} from "viem"
import { executorData } from "../../adapters/sandbox/aggregators/executorCalls.ts"
import { acrossFacetAbi } from "../../adapters/src/exchanges/aggregators/index.ts"
import {
  type LiFiSandboxServer,
  startLiFiSandboxServer,
  withRoute,
  withSteps,
  withTransfer
} from "../../adapters/test/aggregators/lifiSandboxServer.ts"
import { waitUntil } from "../../core/test/support/until.ts"
import { NATIVE, registerOneOfEachKind, swapOf, type TestWallet, USDC } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { allowanceOf, balanceOf } from "./support/balances.ts"
import { signOperations } from "./support/sign.ts"
import { startTestService, type TestService } from "./support/testService.ts"
import { forge } from "./verify/forger.ts"

/**
 * Tests LI.FI's routes on the sandbox's chains, where a contract with the functions of LI.FI's contract executes them.
 */

const { diamond: DIAMOND, exchange: EXCHANGE } = deploymentOf(1).lifi
const tokenOf = (symbol: string) => deploymentOf(1).tokens.find((token) => token.symbol === symbol)!.address
const [WBTC, LINK, DAI] = [tokenOf("WBTC"), tokenOf("LINK"), tokenOf("DAI")]
const BASE = 8453
const USDC_ON_BASE = deploymentOf(BASE).tokens.find(({ symbol }) => symbol === "USDC")!.address
const THIEF = `0x${"7f".repeat(20)}` as const

let service: TestService
let lifi: LiFiSandboxServer
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  const sandboxStub = { rpcUrl: (_chainId: number): string => "", nowSeconds: () => Math.floor(Date.now() / 1_000) }
  lifi = await startLiFiSandboxServer({
    rpcUrl: (chainId) => sandboxStub.rpcUrl(chainId),
    nowSeconds: () => sandboxStub.nowSeconds()
  })
  service = await startTestService({
    aggregators: [
      { _tag: "LiFi", url: lifi.url, apiKey: Redacted.make("tests"), integrator: "tests", timeoutMs: 60_000 }
    ]
  })
  sandboxStub.rpcUrl = (chainId) => service.chains.rpcUrl(chainId as 1)
  sandboxStub.nowSeconds = () => Math.floor(Date.now() / 1_000) + service.chains.clockOffsetSeconds()
  wallets = await registerOneOfEachKind(service)
})
afterAll(async () => {
  await service.stop()
  await lifi.stop()
})

const walletOf = (name: string) => wallets.find((wallet) => wallet.name === name)!

/** Requests the quotes of a swap. Also returns why LI.FI's quote was rejected. */
const quotesOf = async (wallet: TestWallet, changes: Record<string, unknown>) => {
  const request = swapOf(wallet, { routeProfile: "BEST_OUTPUT", ...changes })
  const { body, status } = await service.request("POST", "/api/v1/crypto/swap", request)
  assert.strictEqual(status, 200, JSON.stringify(body))
  const [{ candidates }] = body.quotes
  return {
    lifi: body.quotes.find(({ swapProvider }: { readonly swapProvider: string }) => swapProvider === "LIFI"),
    refusal: candidates.find(({ provider }: { readonly provider: string }) => provider === "LIFI")?.refusal ?? null,
    candidates
  }
}

const quoteOf = async (wallet: TestWallet, changes: Record<string, unknown>) => {
  const { candidates, lifi: quote } = await quotesOf(wallet, changes)
  assert.isDefined(quote, `${wallet.name}: ${JSON.stringify(candidates)}`)
  assert.isUndefined(quote.revertReason)
  return quote
}

const execute = async (wallet: TestWallet, quote: Awaited<ReturnType<typeof quoteOf>>) => {
  const { body, status } = await service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash: quote.userOperationHash,
    ...(await signOperations(wallet.privateKey, quote.signData))
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
}

const transactionOf = async (wallet: TestWallet, quote: Awaited<ReturnType<typeof quoteOf>>) => {
  const path = `/api/v1/wallets/${wallet.address}/history?userOperationHash=${quote.userOperationHash}`
  return (await service.request("GET", path)).body.transactions[0]
}

const waitForTransaction = (wallet: TestWallet, quote: Awaited<ReturnType<typeof quoteOf>>, status: string) =>
  waitUntil(
    () => transactionOf(wallet, quote),
    (transaction) => transaction?.status === status
  )

const baseBalanceOf = async (token: string, holder: string): Promise<bigint> => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [holder as Hex] })
  return BigInt((await askChain(service.chains.rpcUrl(BASE), "eth_call", { to: token, data }, "latest")) as string)
}

const setRelayer = async (mode: object) => {
  const response = await fetch(`${service.chains.gatewayUrl}/relayer`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(mode)
  })
  assert.strictEqual(response.status, 200, await response.text())
}

const kinds = ["SimpleAccount 0.7", "SimpleAccount 0.8", "Safe 1.4.1", "Simple7702Account"]
const baseFields = { chainIdOut: BASE, tokenOut: USDC_ON_BASE }

describe.each(kinds)("a LI.FI route of a %s", (kind) => {
  it("is executed on one chain, with gas deducted from the amount", async () => {
    const wallet = walletOf(kind)
    lifi.makerBps = 300n
    const fields = { tokenOut: WBTC, amountIn: "10000", gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT" }
    const quote = await quoteOf(wallet, { ...fields, transactionFeePercent: 1 })
    await execute(wallet, quote)
    assert.strictEqual((await service.settled(wallet.address, quote.userOperationHash)).status, "COMPLETED")
    assert.isAtLeast(Number(await balanceOf(service, WBTC, wallet.address)) / 1e8, Number(quote.minAmountOut))
    assert.strictEqual(await allowanceOf(service, USDC, wallet.address, DIAMOND), 0n)
  })

  it("leads to another chain, and its fill is detected by the events of Across", async () => {
    const wallet = walletOf(kind)
    const quote = await quoteOf(wallet, baseFields)
    const balanceBefore = await baseBalanceOf(USDC_ON_BASE, wallet.address)
    await execute(wallet, quote)
    const { receivedAmount, type } = await waitForTransaction(wallet, quote, "COMPLETED")
    const receivedUnits = (await baseBalanceOf(USDC_ON_BASE, wallet.address)) - balanceBefore
    assert.strictEqual(Number(receivedUnits) / 1e6, Number(receivedAmount.amount))
    assert.isAtLeast(Number(receivedAmount.amount), Number(quote.minAmountOut))
    assert.strictEqual(type, "CROSS_SWAP")
    assert.strictEqual(await allowanceOf(service, USDC, wallet.address, DIAMOND), 0n)
  })

  it("swaps before the transfer to another chain, and delivers a share of the swap's whole output", async () => {
    const wallet = walletOf(kind)
    await service.fund(wallet.address, LINK, 10n ** 19n)
    const quote = await quoteOf(wallet, { ...baseFields, tokenIn: LINK, amountIn: "10" })
    const balanceBefore = await baseBalanceOf(USDC_ON_BASE, wallet.address)
    await execute(wallet, quote)
    const { receivedAmount } = await waitForTransaction(wallet, quote, "COMPLETED")
    const receivedDollars = Number((await baseBalanceOf(USDC_ON_BASE, wallet.address)) - balanceBefore) / 1e6
    assert.strictEqual(receivedDollars, Number(receivedAmount.amount))
    assert.isAbove(receivedDollars, Number(quote.minAmountOut))
    assert.strictEqual(await allowanceOf(service, LINK, wallet.address, DIAMOND), 0n)
  })
})

describe("a LI.FI route", () => {
  it.each([
    ["native tokens for a token", NATIVE, USDC],
    ["a token for native tokens", USDC, NATIVE]
  ])("accepts %s", async (_, tokenIn, tokenOut) => {
    const wallet = walletOf("SimpleAccount 0.8")
    await service.fund(wallet.address, "native", 10n ** 18n)
    const quote = await quoteOf(wallet, { tokenIn, tokenOut, amountIn: tokenIn === NATIVE ? "0.1" : "300" })
    const balanceBefore = await balanceOf(service, tokenOut, wallet.address)
    await execute(wallet, quote)
    assert.strictEqual((await service.settled(wallet.address, quote.userOperationHash)).status, "COMPLETED")
    assert.isTrue((await balanceOf(service, tokenOut, wallet.address)) > balanceBefore)
  })

  it("sends native tokens to another chain, with a swap before the transfer", async () => {
    const wallet = walletOf("SimpleAccount 0.8")
    const quote = await quoteOf(wallet, { ...baseFields, tokenIn: NATIVE, amountIn: "0.05" })
    await execute(wallet, quote)
    const { receivedAmount } = await waitForTransaction(wallet, quote, "COMPLETED")
    assert.isAtLeast(Number(receivedAmount.amount), Number(quote.minAmountOut))
  })

  it("that no relayer fills is refunded as the token that the swap before it returned", async () => {
    const wallet = walletOf("Safe 1.4.1")
    await setRelayer({ mode: "OFF" })
    await service.fund(wallet.address, LINK, 10n ** 19n)
    const quote = await quoteOf(wallet, { ...baseFields, tokenIn: LINK, amountIn: "5" })
    await execute(wallet, quote)
    await waitForTransaction(wallet, quote, "ON_BRIDGE")
    const balanceBefore = await balanceOf(service, USDC, wallet.address)
    await service.advanceClock(7_300)
    const { receivedAmount } = await waitForTransaction(wallet, quote, "REFUNDED")
    const paidAmount = (await balanceOf(service, USDC, wallet.address)) - balanceBefore
    assert.isTrue(paidAmount > 0n)
    assert.deepStrictEqual(
      [receivedAmount.token.address, Number(receivedAmount.amount)],
      [USDC, Number(paidAmount) / 1e6]
    )
    await setRelayer({ mode: "FILL", delaySeconds: 0 })
  })
})

type ForgeTransaction = NonNullable<LiFiSandboxServer["cheat"]>

const requestForgedQuote = async (forgeTransaction: ForgeTransaction, changes: Record<string, unknown> = {}) => {
  lifi.cheat = forgeTransaction
  const { lifi: quote, refusal } = await quotesOf(walletOf("SimpleAccount 0.8"), changes)
  lifi.cheat = null
  assert.isUndefined(quote)
  return refusal
}

const executorTypes = parseAbiParameters("uint256 deadline, (address target, uint256 value, bytes data)[] calls")

/** Changes the calls that a route's exchange makes. */
const forgeExecutorCalls =
  (calls: (ownCalls: Hex) => Hex): ForgeTransaction =>
  (transaction) =>
    withSteps(transaction, (step, index) => (index === 1 ? withRoute(step, calls) : step))

describe("a hostile LI.FI whose calls are simulated", () => {
  it("is rejected if its exchange returns less", async () => {
    lifi.makerBps = 0n
    assert.match(
      await requestForgedQuote(forgeExecutorCalls(() => executorData(2n ** 40n, []))),
      /its simulation fails: .*MinimalOutputBalanceViolation/u
    )
  })

  it("is rejected if its exchange uses an old allowance", async () => {
    const wallet = walletOf("SimpleAccount 0.8")
    await service.fund(wallet.address, DAI, 10n ** 20n)
    // Returns the storage slot of an allowance. The sandbox's tokens store allowances in slot 1.
    const slotOf = (key: string, slot: Hex) => keccak256(concat([pad(key as Hex), slot]))
    const slot = slotOf(EXCHANGE, slotOf(wallet.address, pad("0x1")))
    await askChain(service.chains.rpcUrl(1), "anvil_setStorageAt", DAI, slot, pad(numberToHex(maxUint256)))
    const stealData = encodeFunctionData({
      abi: erc20Abi,
      functionName: "transferFrom",
      args: [wallet.address as Hex, THIEF, 5n * 10n ** 18n]
    })
    const forgeTransaction = forgeExecutorCalls((own) => {
      const [deadline, calls] = decodeAbiParameters(executorTypes, own)
      return executorData(deadline, [...calls, { target: DAI, value: 0n, data: stealData }] as never)
    })
    assert.match(
      await requestForgedQuote(forgeTransaction),
      new RegExp(`also takes 5000000000000000000 base units of ${DAI}`, "u")
    )
  })

  it("is rejected if the swap before a transfer returns less than promised", async () => {
    const forgeTransaction: ForgeTransaction = (transaction) =>
      withTransfer(transaction, ([bridge, steps, across]) => [
        bridge,
        steps.map((step, index) => (index === 1 ? withRoute(step, () => executorData(2n ** 40n, [])) : step)),
        across
      ])
    assert.match(
      await requestForgedQuote(forgeTransaction, { ...baseFields, tokenIn: LINK, amountIn: "1" }),
      /its simulation fails/u
    )
  })

  const changeTransfer =
    (fields: { readonly bridge?: object; readonly across?: object; readonly steps?: object }): ForgeTransaction =>
    (transaction) =>
      withTransfer(transaction, ([bridge, steps, across]) => [
        { ...bridge, ...fields.bridge },
        steps.map((step, index) => (index === 1 ? { ...step, ...fields.steps } : step)),
        { ...across, ...fields.across }
      ])
  const forgeMultiplier =
    (change: (multiplier: bigint) => bigint): ForgeTransaction =>
    (transaction) =>
      withTransfer(transaction, ([bridge, steps, across]) => [
        bridge,
        steps,
        { ...across, outputAmountMultiplier: change(across.outputAmountMultiplier) }
      ])

  it.each<readonly [string, RegExp, ForgeTransaction]>([
    ["has a lower share", /minimum output is/u, forgeMultiplier((multiplier) => multiplier / 2n)],
    [
      "has a share that no relayer would fill",
      /no relayer would fill it/u,
      forgeMultiplier((multiplier) => multiplier * 10n ** 12n)
    ],
    ["guarantees less", /minimum output is 0 USDC/u, changeTransfer({ bridge: { minAmount: 1n } })],
    [
      "is refunded to another account",
      /a refund would go to 0x7f/u,
      changeTransfer({ across: { refundAddress: pad(THIEF) } })
    ],
    ["swaps to another token", /it swaps to 0x6b17/iu, changeTransfer({ steps: { receivingAssetId: DAI } })],
    ["leads through a stranger's contract", /calls 0x7f/u, changeTransfer({ steps: { callTo: THIEF } })],
    [
      "takes the amount twice",
      /it sells 1\.9975 LINK instead of 1 LINK/u,
      changeTransfer({ steps: { requiresDeposit: true } })
    ],
    ["denies its swap", /flag `hasSourceSwaps` is wrong/u, changeTransfer({ bridge: { hasSourceSwaps: false } })]
  ])("is rejected where a transfer %s", async (_, reason, cheat) => {
    assert.match(await requestForgedQuote(cheat, { ...baseFields, tokenIn: LINK, amountIn: "1" }), reason)
  })
})

describe("the verifier of a transfer by LI.FI", () => {
  const ATTACKER = "0x00000000000000000000000000000000000000aa"
  const swapFields = { ...baseFields, tokenIn: LINK, amountIn: "1" }

  const verifierInputOf = async (wallet: TestWallet, changes: Record<string, unknown>) => ({
    request: swapOf(wallet, { routeProfile: "BEST_OUTPUT", ...changes }) as never,
    quote: await quoteOf(wallet, changes),
    account: {
      walletAddress: wallet.address,
      externallyOwnedAccount: wallet.owner,
      factory: wallet.factory,
      salt: 0,
      eip7702: wallet.eip7702
    },
    trust: {
      now: Math.floor(Date.now() / 1_000) + service.chains.clockOffsetSeconds(),
      paymasters: Object.values(service.chains.paymasters),
      collectors: [service.chains.keys.treasury.address],
      decimals: { [USDC]: 6, [USDC_ON_BASE]: 6, [LINK]: 18 }
    }
  })

  it.each([
    ["a direct one", baseFields],
    ["one to a stranger", { ...baseFields, toAddress: ATTACKER, transactionFeePercent: 1 }],
    ["one after a swap", swapFields],
    ["one after a swap of native tokens", { ...baseFields, tokenIn: NATIVE, amountIn: "0.05" }],
    ["one after a swap, to a stranger", { ...swapFields, toAddress: ATTACKER }]
  ])("passes %s", async (_, changes) => {
    const wallet = walletOf("SimpleAccount 0.8")
    await service.fund(wallet.address, LINK, 10n ** 18n)
    const verification = verifyQuote(await verifierInputOf(wallet, changes))
    assert.deepStrictEqual(verification.ok ? [] : verification.problems, [])
    const isSwapped = "tokenIn" in changes
    assert.strictEqual(verification.ok && verification.unknown.length > 0, isSwapped)
  })

  const forgeries: ReadonlyArray<readonly [string, string, object, object]> = [
    ["pays another receiver", "pays_somebody_else", {}, { receiverAddress: pad(ATTACKER) }],
    ["is refunded to another account", "pays_somebody_else", {}, { refundAddress: pad(ATTACKER) }],
    ["is for another account", "gives_too_little", { receiver: ATTACKER }, {}],
    ["goes to a third chain", "gives_too_little", { destinationChainId: 10n }, {}],
    ["delivers another token", "gives_too_little", {}, { receivingAssetId: pad(WBTC) }],
    ["carries a message", "unreadable", {}, { message: "0x12" }],
    ["calls on the other chain", "unreadable", { hasDestinationCall: true }, {}],
    ["bridges another token", "unreadable", {}, { sendingAssetId: pad(WBTC) }],
    ["has no time to be filled", "wrong_deadline", {}, { fillDeadline: 1 }],
    ["is reserved for one relayer", "unknown_call", {}, { exclusivityParameter: 7_000 }],
    ["denies its swap", "unreadable", { hasSourceSwaps: "OTHERWISE" }, {}]
  ]
  const directForgeries: typeof forgeries = [
    ["takes more", "unknown_spender", { minAmount: 100_000_001n }, {}],
    ["delivers less", "gives_too_little", {}, { outputAmount: 1n }],
    ["delivers more than the deposit", "gives_too_little", {}, { outputAmount: 10n ** 12n }]
  ]
  const swapForgeries: typeof forgeries = [
    ["guarantees less", "gives_too_little", { minAmount: 1n }, {}],
    ["has a lower share", "gives_too_little", {}, { outputAmountMultiplier: 10n ** 17n }],
    ["has a share above the whole amount", "gives_too_little", {}, { outputAmountMultiplier: 10n ** 30n }]
  ]

  const forgeCallData = (data: string, bridgeChanges: object, acrossChanges: object): Hex => {
    const call = decodeFunctionData({ abi: acrossFacetAbi, data: data as Hex })
    const changeBridge = (bridge: object & { readonly hasSourceSwaps: boolean }) => {
      const fields = { ...bridge, ...bridgeChanges } as { readonly hasSourceSwaps: unknown }
      return fields.hasSourceSwaps === "OTHERWISE" ? { ...fields, hasSourceSwaps: !bridge.hasSourceSwaps } : fields
    }
    const args = call.args.with(0, changeBridge(call.args[0]) as never)
    const lastIndex = args.length - 1
    return encodeFunctionData({
      abi: acrossFacetAbi,
      functionName: call.functionName,
      args: args.with(lastIndex, { ...(args[lastIndex] as object), ...acrossChanges } as never) as never
    })
  }

  it.each([
    ["direct", baseFields, [...forgeries, ...directForgeries]],
    ["after a swap", swapFields, [...forgeries, ...swapForgeries]]
  ])("rejects each lie about a transfer: %s", async (_, changes, transferForgeries) => {
    const wallet = walletOf("SimpleAccount 0.8")
    await service.fund(wallet.address, LINK, 10n ** 18n)
    const honestInput = await verifierInputOf(wallet, changes)
    for (const [name, code, bridgeLie, acrossLie] of transferForgeries) {
      const quote = forge(honestInput, {
        calls: (calls) =>
          calls.map((call) =>
            call.to === DIAMOND ? { ...call, data: forgeCallData(call.data, bridgeLie, acrossLie) } : call
          )
      })
      const verification = verifyQuote({ ...honestInput, quote })
      const codes = verification.ok ? [] : verification.problems.map((problem) => problem.code)
      assert.include(codes, code, name)
    }
  })

  it("rejects a transfer for a request without another chain", async () => {
    const wallet = walletOf("SimpleAccount 0.8")
    const honestInput = await verifierInputOf(wallet, baseFields)
    const verification = verifyQuote({ ...honestInput, request: swapOf(wallet) as never })
    assert.include(verification.ok ? [] : verification.problems.map(({ code }) => code), "unreadable")
  })
})
