import type { SwapQuote, SwapRequest } from "@countersign/http/client"
import { type VerifyOptions, verifyQuote } from "@countersign/http/verify"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { encodeFunctionData, erc20Abi, hashTypedData, keccak256, maxUint256, stringToHex } from "viem"
import { NATIVE, registerOneOfEachKind, swapOf, USDC, WETH } from "../support/accounts.ts"
import { startTestService, type TestService } from "../support/testService.ts"
import { forge } from "./forger.ts"

/** Tests limit order quotes of the real service, unchanged and with the changes of a dishonest server. */

type CheckedQuote = VerifyOptions & { readonly quote: SwapQuote; readonly request: SwapRequest; readonly kind: string }

let service: TestService
let testedQuotes: ReadonlyArray<CheckedQuote>

const ATTACKER = `0x${"bad".repeat(13)}b`

const variants: Readonly<Record<string, Partial<SwapRequest>>> = {
  plain: {},
  "of native tokens": { tokenIn: NATIVE, tokenOut: USDC, amountIn: "0.1", minAmountOut: "10" },
  "to native tokens, gas deducted": { tokenOut: NATIVE, gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT" },
  "with fees, whole": {
    transactionFeePercent: 0.3,
    extraFee: { percentage: 0.2, toAddress: ATTACKER },
    partialFillable: false
  }
}

beforeAll(async () => {
  service = await startTestService()
  const wallets = await registerOneOfEachKind(service)
  const checkedQuotes: Array<CheckedQuote> = []
  for (const wallet of wallets) {
    await service.fund(wallet.address, "native", 10n ** 18n)
    for (const fields of Object.values(variants)) {
      const request = swapOf(wallet, { minAmountOut: "0.01", expiration: 3_600, ...fields }) as unknown as SwapRequest
      const { body, status } = await service.request("POST", "/api/v1/crypto/swap", request)
      assert.strictEqual(status, 200, JSON.stringify(body))
      checkedQuotes.push({
        kind: wallet.name,
        request,
        quote: body.quotes[0],
        account: {
          walletAddress: wallet.address,
          factory: wallet.factory,
          externallyOwnedAccount: wallet.owner,
          salt: 0
        },
        trust: {
          decimals: { [USDC]: 6, [WETH]: 18 },
          paymasters: Object.values(service.chains.paymasters),
          collectors: [service.chains.keys.treasury.address]
        }
      })
    }
  }
  testedQuotes = checkedQuotes
})
afterAll(() => service.stop())

const problemsOf = (options: VerifyOptions): ReadonlyArray<string> => {
  const verification = verifyQuote(options)
  return verification.ok ? [] : verification.problems.map(({ code, path, message }) => `${code} ${path}: ${message}`)
}

const problemCodesOf = (options: VerifyOptions): ReadonlyArray<string> => {
  const verification = verifyQuote(options)
  return verification.ok ? [] : verification.problems.map(({ code }) => code)
}

/** Changes fields of the order. The typed data and the uid match the changed order. */
const changeOrder = (
  checkedQuote: CheckedQuote,
  fields: Readonly<Record<string, unknown>>,
  appData?: string
): CheckedQuote => {
  const newAppData = appData ?? checkedQuote.quote.limitOrder!.appData
  const typedData = structuredClone(checkedQuote.quote.typedData!)
  Object.assign(typedData.message, fields, appData === undefined ? {} : { appData: keccak256(stringToHex(appData)) })
  const digest = hashTypedData(typedData as unknown as Parameters<typeof hashTypedData>[0])
  const uid = `${digest}${checkedQuote.quote.limitOrder!.uid.slice(66)}` as const
  const signData = checkedQuote.quote.signData.map((element) =>
    element.type === "LIMIT_ORDER" &&
    element.method === "eth_signTypedData_v4" &&
    element.typedData.primaryType === "Order"
      ? { ...element, hash: digest, typedData }
      : element
  )
  const limitOrder = { ...checkedQuote.quote.limitOrder!, uid, appData: newAppData }
  return { ...checkedQuote, quote: { ...checkedQuote.quote, typedData, limitOrder, signData } as SwapQuote }
}

describe("verifyQuote of a limit order", () => {
  it("passes the quotes of the service, for each type of account", () => {
    assert.strictEqual(testedQuotes.length, 16)
    for (const honestQuote of testedQuotes) assert.deepStrictEqual(problemsOf(honestQuote), [], honestQuote.kind)
  })

  it.each([
    ["another token is sold", { sellToken: ATTACKER }],
    ["another token is bought", { buyToken: ATTACKER }],
    ["another account receives", { receiver: ATTACKER }],
    ["more is sold", { sellAmount: "100000001" }],
    ["less is bought", { buyAmount: "1" }],
    ["it expires later", { validTo: 2_000_000_000 }],
    ["it has expired", { validTo: 1_000_000_000 }],
    ["a fee is signed", { feeAmount: "1" }],
    ["it is of the other kind", { kind: "buy" }],
    ["it sells a balance of a vault", { sellTokenBalance: "internal" }],
    ["it is paid to a vault", { buyTokenBalance: "internal" }],
    ["it has other app data", { appData: `0x${"12".repeat(32)}` }]
  ] as const)("detects that %s", (_name, fields) => {
    for (const honestQuote of testedQuotes)
      assert.isNotEmpty(problemsOf(changeOrder(honestQuote, fields)), honestQuote.kind)
  })

  it("detects another partial fill setting", () => {
    for (const honestQuote of testedQuotes) {
      const partiallyFillable = honestQuote.quote.typedData!.message.partiallyFillable !== true
      assert.isNotEmpty(problemsOf(changeOrder(honestQuote, { partiallyFillable })), honestQuote.kind)
    }
  })

  it("detects app data that pays another receiver, pays too much, or executes a hook", () => {
    for (const honestQuote of testedQuotes) {
      const appData = JSON.parse(honestQuote.quote.limitOrder!.appData)
      const forgedAppData = [
        { ...appData, metadata: { ...appData.metadata, hooks: { pre: [] } } },
        { ...appData, metadata: { ...appData.metadata, partnerFee: [{ recipient: ATTACKER, volumeBps: 100 }] } },
        {
          ...appData,
          metadata: { ...appData.metadata, partnerFee: [{ recipient: ATTACKER, surplusBps: 1, maxVolumeBps: 1 }] }
        },
        { ...appData, more: 1 }
      ]
      for (const forgedData of forgedAppData)
        assert.isNotEmpty(
          problemsOf(changeOrder(honestQuote, {}, JSON.stringify(forgedData))),
          JSON.stringify(forgedData)
        )
    }
  })

  it("detects another uid, another expiry, another signing scheme, another domain, and a missing or additional element", () => {
    for (const honestQuote of testedQuotes) {
      const { quote } = honestQuote
      const limitOrder = quote.limitOrder!
      const element = quote.signData[0]!
      const forgeries: ReadonlyArray<Partial<SwapQuote>> = [
        { limitOrder: { ...limitOrder, uid: `0x${"12".repeat(56)}` } },
        { limitOrder: { ...limitOrder, expiresAt: "2100-01-01T00:00:00.000Z" } },
        { signData: quote.signData.slice(1) },
        { signData: [...quote.signData, element] },
        {
          typedData: {
            ...quote.typedData!,
            domain: { ...quote.typedData!.domain, verifyingContract: ATTACKER as `0x${string}` }
          }
        },
        { typedData: { ...quote.typedData!, domain: { ...quote.typedData!.domain, chainId: 8453 } } },
        { type: "SWAP" }
      ]
      for (const forgery of forgeries)
        assert.isNotEmpty(
          problemsOf({ ...honestQuote, quote: { ...quote, ...forgery } as SwapQuote }),
          honestQuote.kind
        )
    }
  })

  it("detects that native tokens are wrapped several times, and an unlimited allowance of a paymaster", () => {
    const approvalOf = (paymaster: string) =>
      encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [paymaster as `0x${string}`, maxUint256] })
    for (const honestQuote of testedQuotes.filter(({ quote }) => quote.userOperations.length > 0)) {
      const [paymaster] = honestQuote.trust!.paymasters!
      const withAllowance = forge(honestQuote, {
        calls: (calls) => [...calls, { to: USDC, value: 0n, data: approvalOf(paymaster!) }]
      })
      const codes = problemCodesOf({ ...honestQuote, quote: withAllowance as SwapQuote })
      assert.include(codes, "allowance_remains", honestQuote.kind)
      const wrappedTwice = forge(honestQuote, {
        calls: (calls) => calls.flatMap((call) => (call.data === "0xd0e30db0" ? [call, call] : [call]))
      })
      if (honestQuote.request.tokenIn !== NATIVE) continue
      assert.include(problemCodesOf({ ...honestQuote, quote: wrappedTwice as SwapQuote }), "pays_too_much")
    }
  })

  it("applies the caller's own minimum, and lists the fields that it does not check", () => {
    for (const honestQuote of testedQuotes) {
      const trust = { ...honestQuote.trust, minAmountsOut: ["1000000000"] }
      assert.include(problemCodesOf({ ...honestQuote, trust }), "gives_too_little", honestQuote.kind)
      const verification = verifyQuote(honestQuote)
      assert.isTrue(verification.ok && verification.unchecked.includes("quoteId"), honestQuote.kind)
    }
  })

  it("detects calls that do more than the order needs", () => {
    for (const honestQuote of testedQuotes) {
      const forgedQuote = structuredClone(honestQuote.quote) as SwapQuote
      for (const operation of forgedQuote.userOperations as Array<{ callData: string }>) {
        // Approves another address than the vault relayer.
        operation.callData = operation.callData.replaceAll(
          "c92e8bdf79f0507f65a392b0ab4667716bfe0110",
          ATTACKER.slice(2)
        )
      }
      assert.isNotEmpty(problemsOf({ ...honestQuote, quote: forgedQuote }), honestQuote.kind)
    }
  })
})
