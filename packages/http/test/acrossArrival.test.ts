import { acrossOrNull, deploymentOf } from "@countersign/adapters/chains/deployments"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { ActivityWatch } from "@countersign/core/wallets/chain-activity"
import { verifyQuote } from "@countersign/http/verify"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import {
  decodeAbiParameters,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseAbi,
  parseAbiParameters,
  parseUnits
} from "viem"
import { waitUntil } from "../../core/test/support/until.ts"
import { NATIVE, registerOneOfEachKind, swapOf, type TestWallet, USDC } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { startTestService, type TestService } from "./support/testService.ts"
import { forge } from "./verify/forger.ts"

/** Tests swaps to tokens that Across does not support: the real MulticallHandler swaps the filled token on arrival. */

const BASE = 8453
const POLYGON = 137
const HANDLER = acrossOrNull(BASE)!.multicallHandler
const baseAddressOf = (symbol: string) => deploymentOf(BASE).tokens.find((token) => token.symbol === symbol)!.address
const [WBTC_ON_BASE, USDC_ON_BASE] = [baseAddressOf("WBTC"), baseAddressOf("USDC")]
const LINK = "0x514910771af9ca656af840dff83e8264ecf986ca"
const ATTACKER = "0x00000000000000000000000000000000000000aa"

let service: TestService
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  service = await startTestService()
  wallets = await registerOneOfEachKind(service)
})
afterAll(() => service.stop())

const walletOf = (name: string) => wallets.find((wallet) => wallet.name === name)!

const setRelayer = async (mode: object) => {
  const response = await fetch(`${service.chains.gatewayUrl}/relayer`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(mode)
  })
  assert.strictEqual(response.status, 200, await response.text())
}

const balanceOn = async (chainId: EvmChainId, token: string, holder: string): Promise<bigint> => {
  const url = service.chains.rpcUrl(chainId)
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [holder as Hex] })
  return BigInt(await askChain(url, "eth_call", { to: token, data }, "latest"))
}

const nativeBalanceOn = async (chainId: EvmChainId, holder: string): Promise<bigint> =>
  BigInt(await askChain(service.chains.rpcUrl(chainId), "eth_getBalance", holder, "latest"))

/** Removes the routers of a chain, so that swaps there fail. Returns a function that restores them. */
const removeRouters = async (chainId: EvmChainId) => {
  const url = service.chains.rpcUrl(chainId)
  const { constantProduct, pancakeV3, uniswapV3, universalRouter } = deploymentOf(chainId)
  const routers = [
    uniswapV3.swapRouter02,
    universalRouter,
    pancakeV3?.swapRouter,
    ...constantProduct.map(({ router }) => router)
  ].filter((router) => router !== undefined)
  const codes = await Promise.all(routers.map((router) => askChain(url, "eth_getCode", router, "latest")))
  for (const router of routers) await askChain(url, "anvil_setCode", router, "0x")
  return async () => {
    for (const [i, router] of routers.entries()) await askChain(url, "anvil_setCode", router, codes[i])
  }
}

const quoteOf = async (wallet: TestWallet, changes: Record<string, unknown> = {}) => {
  const request = swapOf(wallet, { chainIdOut: BASE, tokenOut: WBTC_ON_BASE, amountIn: "1000", ...changes })
  const { body, status } = await service.request("POST", "/api/v1/crypto/swap", request)
  assert.strictEqual(status, 200, JSON.stringify(body))
  assert.isUndefined(body.quotes[0].revertReason)
  return body.quotes[0]
}
type Quote = Awaited<ReturnType<typeof quoteOf>>

const execute = async (wallet: TestWallet, quote: Quote) => {
  const { body, status } = await service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash: quote.userOperationHash,
    ...(await service.signatures(wallet.privateKey, quote.signData))
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
}

const awaitTransactionIn = (wallet: TestWallet, quote: Quote, status: string) => {
  const path = `/api/v1/wallets/${wallet.address}/history?userOperationHash=${quote.userOperationHash}`
  return waitUntil(
    async () => (await service.request("GET", path)).body.transactions[0],
    (transaction) => transaction?.status === status
  )
}

describe.each(["SimpleAccount 0.7", "SimpleAccount 0.8", "Safe 1.4.1", "Simple7702Account"])(
  "a transfer of a %s to a token that Across does not support",
  (kind) => {
    it("is swapped on arrival, for at least the quoted amount", async () => {
      const wallet = walletOf(kind)
      const quote = await quoteOf(wallet)
      assert.match(quote.warnings.join(), /Across delivers USDC on Base, and swaps it to WBTC/u)
      const balanceBefore = await balanceOn(BASE, WBTC_ON_BASE, wallet.address)
      await execute(wallet, quote)
      const { legs, receivedAmount, substatus } = await awaitTransactionIn(wallet, quote, "COMPLETED")
      const receivedUnits = (await balanceOn(BASE, WBTC_ON_BASE, wallet.address)) - balanceBefore
      assert.isTrue(receivedUnits >= parseUnits(quote.minAmountOut, 8))
      assert.strictEqual(receivedUnits, parseUnits(receivedAmount.amount, 8))
      assert.strictEqual(substatus, "FILLED")
      assert.deepStrictEqual(
        legs.map(({ chain }: { readonly chain: { readonly id: number } }) => chain.id),
        [1, BASE]
      )
      assert.strictEqual(await balanceOn(BASE, USDC_ON_BASE, HANDLER), 0n)
    })
  }
)

describe("a swap on arrival", () => {
  it("returns the wrapped native token of the destination chain, after a swap before the deposit", async () => {
    const wallet = walletOf("Safe 1.4.1")
    const { wrappedNative } = deploymentOf(POLYGON)
    await service.fund(wallet.address, LINK, 10n ** 20n)
    const toPolygon = { tokenIn: LINK, amountIn: "10", chainIdOut: POLYGON }
    const quote = await quoteOf(wallet, { ...toPolygon, tokenOut: wrappedNative.address })
    const balanceBefore = await balanceOn(POLYGON, wrappedNative.address, wallet.address)
    await execute(wallet, quote)
    const { receivedAmount } = await awaitTransactionIn(wallet, quote, "COMPLETED")
    const receivedUnits = (await balanceOn(POLYGON, wrappedNative.address, wallet.address)) - balanceBefore
    assert.strictEqual(receivedUnits, parseUnits(receivedAmount.amount, 18))
    assert.isTrue(receivedUnits >= parseUnits(quote.minAmountOut, 18))
  })

  it.each([
    ["POL on Polygon", 137, "SimpleAccount 0.7"],
    ["BNB on BNB Chain", 56, "Safe 1.4.1"],
    ["AVAX on Avalanche", 43_114, "Simple7702Account"]
  ] as const)("gives %s", async (_, chainIdOut, kind) => {
    const wallet = walletOf(kind)
    const quote = await quoteOf(wallet, { amountIn: "100", chainIdOut, tokenOut: NATIVE })
    const balanceBefore = await nativeBalanceOn(chainIdOut, wallet.address)
    await execute(wallet, quote)
    const { receivedAmount, substatus } = await awaitTransactionIn(wallet, quote, "COMPLETED")
    const receivedUnits = (await nativeBalanceOn(chainIdOut, wallet.address)) - balanceBefore
    assert.strictEqual(receivedUnits, parseUnits(receivedAmount.amount, 18))
    assert.deepStrictEqual([receivedAmount.token.address, substatus], [NATIVE, "FILLED"])
    assert.isTrue(receivedUnits >= parseUnits(quote.minAmountOut, 18))
  })

  it("for native tokens delivers the filled token to the receiver if the swap fails", async () => {
    const wallet = walletOf("SimpleAccount 0.8")
    await setRelayer({ mode: "OFF" })
    const quote = await quoteOf(wallet, { amountIn: "100", chainIdOut: POLYGON, tokenOut: NATIVE })
    await execute(wallet, quote)
    await awaitTransactionIn(wallet, quote, "ON_BRIDGE")
    const restore = await removeRouters(POLYGON)
    await setRelayer({ mode: "FILL", delaySeconds: 0 })
    const { receivedAmount, substatus } = await awaitTransactionIn(wallet, quote, "PARTIALLY_COMPLETED")
    await restore()
    assert.strictEqual(substatus, "OTHER_TOKEN")
    assert.strictEqual(receivedAmount.token.address, acrossOrNull(POLYGON)!.tokens.USDC)
  })

  it("that fails leaves the filled token with the receiver, and is reported once", async () => {
    const wallet = walletOf("SimpleAccount 0.8")
    await setRelayer({ mode: "OFF" })
    const quote = await quoteOf(wallet, { amountIn: "2000" })
    await execute(wallet, quote)
    await awaitTransactionIn(wallet, quote, "ON_BRIDGE")
    const restore = await removeRouters(BASE)
    const balanceBefore = await balanceOn(BASE, USDC_ON_BASE, wallet.address)
    await setRelayer({ mode: "FILL", delaySeconds: 0 })
    const { receivedAmount, substatus } = await awaitTransactionIn(wallet, quote, "PARTIALLY_COMPLETED")
    const receivedUnits = (await balanceOn(BASE, USDC_ON_BASE, wallet.address)) - balanceBefore
    await restore()
    assert.strictEqual(substatus, "OTHER_TOKEN")
    assert.strictEqual(receivedAmount.token.address, USDC_ON_BASE)
    assert.strictEqual(parseUnits(receivedAmount.amount, 6), receivedUnits)
    assert.isTrue(receivedUnits > 1_990_000_000n)
    await service.run(ActivityWatch.use(({ watchDue }) => watchDue))
    const { body } = await service.request(
      "GET",
      `/api/v1/wallets/${wallet.address}/history?type=CRYPTO_DEPOSIT&take=100`
    )
    const baseDeposits = body.transactions.filter(
      ({ chainOut }: { readonly chainOut: { readonly id: number } }) => chainOut.id === BASE
    )
    assert.isEmpty(baseDeposits)
  })

  it("that no relayer fills is refunded as the deposited token", async () => {
    const wallet = walletOf("SimpleAccount 0.7")
    await setRelayer({ mode: "OFF" })
    const quote = await quoteOf(wallet)
    await execute(wallet, quote)
    await awaitTransactionIn(wallet, quote, "ON_BRIDGE")
    await service.advanceClock(7_300)
    const { receivedAmount } = await awaitTransactionIn(wallet, quote, "REFUNDED")
    assert.deepStrictEqual([receivedAmount.token.address, receivedAmount.amount], [USDC, "1000"])
    await setRelayer({ mode: "FILL", delaySeconds: 0 })
  })
})

describe("the verifier of a swap on arrival", () => {
  const abi = parseAbi([
    "function depositV3Now(address depositor, address recipient, address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, address exclusiveRelayer, uint32 fillDeadlineOffset, uint32 exclusivityParameter, bytes message)"
  ])
  const messageAbi = parseAbiParameters(
    "((address target, bytes callData, uint256 value)[] calls, address fallbackRecipient)"
  )
  type Message = ReturnType<typeof decodeAbiParameters<typeof messageAbi>>[0]
  type Deposit = readonly [Hex, Hex, Hex, Hex, bigint, bigint, bigint, Hex, number, number, Hex]

  const depositArgsOf = (data: string) => decodeFunctionData({ abi, data: data as Hex }).args as Deposit
  const messageOf = (args: Deposit) => decodeAbiParameters(messageAbi, args[10])[0]
  /** Decodes the deposit in the last call, and the receiver of the filled token if the swap on arrival fails. */
  const depositIn = (calls: ReadonlyArray<{ readonly data: string }>) => {
    const args = depositArgsOf(calls.at(-1)!.data)
    return {
      token: args[3].toLowerCase(),
      outputAmount: args[5],
      receiver: messageOf(args).fallbackRecipient.toLowerCase()
    }
  }

  const verifierInputOf = async (wallet: TestWallet, changes: Record<string, unknown> = {}) => {
    const quote = await quoteOf(wallet, changes)
    const request = swapOf(wallet, { chainIdOut: BASE, tokenOut: WBTC_ON_BASE, amountIn: "1000", ...changes }) as never
    return {
      request,
      quote,
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
        decimals: { [USDC]: 6, [LINK]: 18, [WBTC_ON_BASE]: 8 }
      }
    }
  }

  it.each([
    ["one of dollars", "Safe 1.4.1", {}],
    ["one to a stranger", "SimpleAccount 0.8", { toAddress: ATTACKER, transactionFeePercent: 1 }],
    ["one after a swap", "Simple7702Account", { tokenIn: LINK, amountIn: "1" }],
    ["one for native tokens", "SimpleAccount 0.7", { chainIdOut: POLYGON, tokenOut: NATIVE }]
  ])("passes %s, and lists the unverified facts", async (_, kind, changes) => {
    const wallet = walletOf(kind)
    await service.fund(wallet.address, LINK, 10n ** 18n)
    const verification = verifyQuote(await verifierInputOf(wallet, changes))
    assert.deepStrictEqual(verification.ok ? [] : verification.problems, [])
    const { outputAmount, receiver, token } = depositIn(verification.ok ? verification.calls : [])
    assert.include(
      verification.ok ? verification.unknown.join() : "",
      `If the swap fails, ${receiver} receives ${outputAmount} base units of ${token}`
    )
  })

  const changeCalls =
    (change: (data: string) => string) =>
    ({ calls, fallbackRecipient }: Message): Message => ({
      fallbackRecipient,
      calls: calls.map((call) => ({ ...call, callData: change(call.callData) as Hex }))
    })
  const wordOf = (address: string) => address.slice(2).toLowerCase().padStart(64, "0")

  const withMessage = (args: Deposit, message: Message) =>
    args.with(10, encodeAbiParameters(messageAbi, [message])) as never as Deposit
  const depositCall = <C extends object>(call: C, args: Deposit) => ({
    ...call,
    data: encodeFunctionData({ abi, functionName: "depositV3Now", args })
  })

  it("rejects a fill that leaves nearly all of the deposit to the relayer, unless the caller allows it", async () => {
    const wallet = walletOf("SimpleAccount 0.8")
    const honestInput = await verifierInputOf(wallet)
    const amountWord = (amount: bigint) => amount.toString(16).padStart(64, "0")
    // Builds a quote with another filled amount. Its message still requires the quoted minimum, so the swap would fail,
    // and only the filled amount would arrive.
    const forgeFill = (amount: bigint) =>
      forge(honestInput, {
        calls: (calls) =>
          calls.map((call, i) => {
            if (i < calls.length - 1) return call
            const args = depositArgsOf(call.data)
            const withReducedAmount = changeCalls((data) => data.replaceAll(amountWord(args[5]), amountWord(amount)))
            return depositCall(
              call,
              withMessage(args.with(5, amount) as never as Deposit, withReducedAmount(messageOf(args)))
            )
          })
      })
    const verifyWith = (amount: bigint, maxBridgeFeePercent?: number) =>
      verifyQuote({
        ...honestInput,
        quote: forgeFill(amount),
        trust: { ...honestInput.trust, ...(maxBridgeFeePercent === undefined ? {} : { maxBridgeFeePercent }) }
      })
    const verification = verifyWith(1_000_000n)
    assert.deepStrictEqual(verification.ok ? [] : verification.problems.map(({ code, message }) => [code, message]), [
      [
        "gives_too_little",
        `The fill delivers 1000000 base units of ${USDC_ON_BASE} on chain ${BASE} for a deposit worth 1000000000, so the bridge fee is above 5 %. To allow a higher fee, set \`trust.maxBridgeFeePercent\`.`
      ]
    ])
    assert.isTrue(verifyWith(950_000_000n).ok)
    assert.isFalse(verifyWith(949_999_999n).ok)
    assert.isFalse(verifyWith(950_000_000n, 1).ok)
    const allowedVerification = verifyWith(1_000_000n, 100)
    assert.match(allowedVerification.ok ? allowedVerification.unknown.join() : "", /receives 1000000 base units/u)
  })

  it("rejects wrapped native tokens if the request specifies native tokens", async () => {
    const wallet = walletOf("SimpleAccount 0.8")
    const honestInput = await verifierInputOf(wallet, { chainIdOut: POLYGON, tokenOut: NATIVE })
    const wrappedQuote = await quoteOf(wallet, {
      chainIdOut: POLYGON,
      tokenOut: deploymentOf(POLYGON).wrappedNative.address
    })
    const wrappedDepositArgs = depositArgsOf(wrappedQuote.preview.calls.at(-1)!.data)
    const quote = forge(honestInput, {
      calls: (calls) => calls.map((call, i) => (i < calls.length - 1 ? call : depositCall(call, wrappedDepositArgs)))
    })
    const verification = verifyQuote({ ...honestInput, quote })
    const codes = verification.ok ? [] : verification.problems.map(({ code }) => code)
    assert.deepStrictEqual(codes, ["gives_too_little"])
  })

  const forgeries: ReadonlyArray<
    readonly [string, string, (message: Message, wallet: TestWallet) => Message, (d: Deposit) => Deposit]
  > = [
    [
      "leaves the filled token to another account",
      "pays_somebody_else",
      (message) => ({ ...message, fallbackRecipient: ATTACKER }),
      (d) => d
    ],
    [
      "swaps for another account",
      "gives_too_little",
      (message, { address }) => changeCalls((data) => data.replaceAll(wordOf(address), wordOf(ATTACKER)))(message),
      (d) => d
    ],
    [
      "swaps for another token",
      "gives_too_little",
      changeCalls((data) => data.replaceAll(WBTC_ON_BASE.slice(2), baseAddressOf("DAI").slice(2))),
      (d) => d
    ],
    ["makes no swap", "gives_too_little", (message) => ({ ...message, calls: [] }), (d) => d],
    [
      "makes an additional call",
      "unknown_call",
      (message) => ({ ...message, calls: [...message.calls, { target: ATTACKER, callData: "0x1234", value: 0n }] }),
      (d) => d
    ],
    [
      "is filled with less than it swaps",
      "unknown_spender",
      (message) => message,
      (d) => d.with(5, d[5] - 1n) as never
    ],
    ["demands more than relayers pay", "gives_too_little", (message) => message, (d) => d.with(5, d[4] + 1n) as never],
    ["goes to another contract", "unreadable", (message) => message, (d) => d.with(1, ATTACKER) as never]
  ]

  it("rejects each manipulation", async () => {
    const wallet = walletOf("SimpleAccount 0.8")
    const honestInput = await verifierInputOf(wallet)
    for (const [name, code, changeMessage, changeDeposit] of forgeries) {
      const quote = forge(honestInput, {
        calls: (calls) =>
          calls.map((call, i) => {
            if (i < calls.length - 1) return call
            const args = depositArgsOf(call.data)
            return depositCall(call, changeDeposit(withMessage(args, changeMessage(messageOf(args), wallet))))
          })
      })
      const verification = verifyQuote({ ...honestInput, quote })
      assert.include(verification.ok ? [] : verification.problems.map((problem) => problem.code), code, name)
    }
  })
})
