import { HexBytes } from "@countersign/core/foundation/primitives"
import type { LendingRequest, LiquidityWithdrawal, SwapQuote, SwapRequest } from "@countersign/http/client"
import { type KnownPosition, type Trust, verifyQuote } from "@countersign/http/verify"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { decodeFunctionData, encodeFunctionData, type Hex, parseAbi, parseUnits } from "viem"
import { registerOneOfEachKind, USDC, WETH } from "../support/accounts.ts"
import { startTestService, type TestService } from "../support/testService.ts"
import { type ForgedCall, forge } from "./forger.ts"
import { forgeries } from "./forgeries.ts"
import { LINK } from "./honestLiquidity.ts"
import { type HonestQuote, MARKET, raisedUnpaidGasLimits, requestHonestQuotes } from "./honestQuotes.ts"
import { lendingForgeries, MORPHO } from "./lendingForgeries.ts"
import { isLiquidity } from "./liquidityCalls.ts"
import { liquidityForgeries } from "./liquidityForgeries.ts"
import { type Form, forms } from "./routerForms.ts"

/**
 * Tests quotes of the real service for all types of accounts and operations, unchanged and with the changes of a server
 * that lies consistently.
 */

let service: TestService
let testedQuotes: ReadonlyArray<HonestQuote>

beforeAll(async () => {
  service = await startTestService(raisedUnpaidGasLimits)
  const wallets = await registerOneOfEachKind(service)
  for (const { address } of wallets) await service.fund(address, "native", 10n ** 18n)
  testedQuotes = await requestHonestQuotes(service, wallets)
})
afterAll(() => service.stop())

const problemsOf = (options: HonestQuote) => {
  const verification = verifyQuote(options)
  return verification.ok ? [] : verification.problems
}

describe("verifyQuote", () => {
  it("passes the quotes of the real service, of each type of account and operation", () => {
    assert.strictEqual(testedQuotes.length, 91)
    for (const quote of testedQuotes) assert.deepStrictEqual(problemsOf(quote), [], `${quote.kind}, ${quote.name}`)
  })

  it("passes them after a forgery without changes, so that the other tests detect the lies only", () => {
    for (const honestQuote of testedQuotes) {
      const sameQuote = { ...honestQuote, quote: forge(honestQuote, { calls: (calls) => calls }) }
      assert.deepStrictEqual(problemsOf(sameQuote), [], `${honestQuote.kind}, ${honestQuote.name}`)
    }
  })

  it.each(
    [...forgeries, ...lendingForgeries, ...liquidityForgeries].map((forgery) => [forgery.name, forgery] as const)
  )("detects that %s", (_name, forgery) => {
    const { changes: changesOf, codes } = forgery
    let detectedCount = 0
    for (const honestQuote of testedQuotes) {
      // For operations on positions, the general lies are tested with only one account type.
      if (isLiquidity(honestQuote) && forgeries.includes(forgery) && honestQuote.kind !== "Safe 1.4.1") continue
      const change = changesOf(honestQuote)
      if (change === null) continue
      detectedCount++
      const foundCodes = problemsOf({ ...honestQuote, quote: forge(honestQuote, change) }).map(({ code }) => code)
      assert.isTrue(
        foundCodes.some((code) => codes.includes(code)),
        `${honestQuote.kind}, ${honestQuote.name}: ${foundCodes.join(", ") || "nothing found"}`
      )
    }
    assert.isAbove(detectedCount, 0)
  })
})

it("detects every changed byte of the calldata, if no field depends only on the service", () => {
  for (const honestQuote of testedQuotes.filter(({ name }) => name === "transfer, gas in native tokens")) {
    const callData = honestQuote.quote.userOperations[0]!.callData
    // Changes only every third byte. Every field is longer than three bytes, so each field is changed.
    for (let offset = 2; offset < callData.length; offset += 6) {
      const byte = (Number.parseInt(callData.slice(offset, offset + 2), 16) ^ 1).toString(16).padStart(2, "0")
      const changedCallData = HexBytes.make(`${callData.slice(0, offset)}${byte}${callData.slice(offset + 2)}`)
      const quote = forge(honestQuote, { operation: (operation) => ({ ...operation, callData: changedCallData }) })
      // Ignores the preview, because the forger could adapt it.
      const problems = problemsOf({ ...honestQuote, quote }).filter(({ code }) => code !== "wrong_preview")
      assert.isAbove(problems.length, 0, `${honestQuote.kind}, byte ${offset / 2 - 1}`)
    }
  }
})

/** Calls `visit` for each field with a function that changes it. */
const visitFields = (
  value: unknown,
  path: string,
  visit: (path: string, value: unknown, set: (changed: unknown) => void) => void,
  set: (changed: unknown) => void = () => undefined
): void => {
  if (typeof value !== "object" || value === null) {
    visit(path, value, set)
    return
  }
  const fields = value as Record<string, unknown>
  for (const name of Object.keys(fields)) {
    const step = Array.isArray(value) ? "[]" : path === "" ? name : `.${name}`
    visitFields(fields[name], `${path}${step}`, visit, (newValue) => {
      fields[name] = newValue
    })
  }
}

const changeValue = (value: unknown): unknown => {
  if (typeof value === "number") return value + 1
  if (typeof value === "boolean") return !value
  if (typeof value !== "string") return "1"
  if (value.startsWith("0x")) return `${value.slice(0, -1)}${value.endsWith("1") ? "2" : "1"}`
  return /^[\d.]+$/u.test(value) ? String(Number(value.slice(0, 6)) + 1) : `${value}x`
}

it("detects every changed field of a quote, or lists it as a claim of the service", () => {
  for (const honestQuote of testedQuotes.filter(({ kind }) => kind === "Safe 1.4.1")) {
    const quote = structuredClone(honestQuote.quote)
    const verificationBefore = verifyQuote({ ...honestQuote, quote })
    assert.isTrue(verificationBefore.ok)
    const uncheckedPaths = new Set(verificationBefore.ok ? verificationBefore.unchecked : [])
    visitFields(quote, "", (path, value, set) => {
      set(changeValue(value))
      const isUnchecked = [...uncheckedPaths].some(
        (uncheckedPath) => path === uncheckedPath || path.startsWith(`${uncheckedPath}.`)
      )
      assert.isTrue(
        isUnchecked || problemsOf({ ...honestQuote, quote }).length > 0,
        `${honestQuote.name}: ${path} ${value}`
      )
      set(value)
    })
  }
})

it("lists an unknown field", () => {
  const swapQuote = testedQuotes.find(({ name }) => name === "swap")!
  const quote = Object.assign(structuredClone(swapQuote.quote), { promise: "twice as much" })
  const verification = verifyQuote({ ...swapQuote, quote })
  assert.include(verification.ok ? verification.unchecked : [], "promise")
})

describe("the caller's data", () => {
  const findSwap = () => testedQuotes.find(({ name }) => name === "swap")!
  const codesOfChanges = (changes: Partial<HonestQuote>) =>
    problemsOf({ ...findSwap(), ...changes }).map(({ code }) => code)
  const codesWithTrust = (changes: Trust) => codesOfChanges({ trust: { ...findSwap().trust, ...changes } })

  it("limits the gas, the minimum amounts, and the validity", () => {
    const { estimatedGasFees, minAmountOut } = findSwap().quote as SwapQuote
    assert.deepStrictEqual(
      codesWithTrust({ maxGasFee: estimatedGasFees.maxGasFeeToken, minAmountsOut: [minAmountOut] }),
      []
    )
    assert.deepStrictEqual(codesWithTrust({ maxGasFee: "0.000001" }), ["gas_too_high"])
    assert.deepStrictEqual(codesWithTrust({ minAmountsOut: ["10"] }), ["gives_too_little"])
    assert.include(codesWithTrust({ maxSeconds: 1 }), "wrong_deadline")
    assert.include(codesWithTrust({ now: 2 ** 40 }), "wrong_deadline")
  })

  it("reports the deadline and the clock if the clock of the service was moved", () => {
    const movedOptions = { ...findSwap(), trust: { ...findSwap().trust, now: 1_700_000_000 } }
    const messages = problemsOf(movedOptions).flatMap(({ code, message }) =>
      code === "wrong_deadline" ? [message] : []
    )
    assert.isNotEmpty(messages)
    for (const message of messages) {
      assert.match(
        message,
        /^It expires at \d{4}-\d\d-\d\dT[\d:.]+Z\. The verifier's time is 2023-11-14T22:13:20\.000Z, /u
      )
      assert.include(message, "pass the service's time as `trust.now`")
    }
  })

  it("has no default from the quote: without decimals, a paymaster or an account the quote does not pass", () => {
    assert.deepStrictEqual(codesWithTrust({ decimals: {} }), ["unknown_decimals"])
    assert.include(codesWithTrust({ paymasters: [] }), "wrong_paymaster")
    const { account } = findSwap()
    assert.deepStrictEqual(codesOfChanges({ account: { ...account, factory: USDC } }), ["unknown_account"])
    assert.include(codesOfChanges({ account: { ...account, walletAddress: USDC } }), "wrong_wallet")
    assert.include(codesOfChanges({ account: { ...account, externallyOwnedAccount: USDC } }), "wrong_deployment")
  })

  it("lists the fee collectors: any other fee is a payment to a stranger", () => {
    const quoteWithFees = testedQuotes.find(({ name }) => name === "transfer with fees")!
    const foundCodes = problemsOf({ ...quoteWithFees, trust: { ...quoteWithFees.trust, collectors: [] } }).map(
      ({ code }) => code
    )
    assert.include(foundCodes, "pays_somebody_else")
  })

  it("is compared with the request, whatever the quote repeats", () => {
    const { request } = findSwap()
    assert.include(codesOfChanges({ request: { ...request, toAddress: USDC } as SwapRequest }), "wrong_echo")
    assert.include(codesOfChanges({ request: { ...request, amountIn: "99" } as SwapRequest }), "pays_too_much")
    assert.include(
      codesOfChanges({ request: { ...request, slippage: 0.5, minAmountOut: "9" } as SwapRequest }),
      "gives_too_little"
    )
  })

  it("leads to a summary of the verified facts, if the quote passes", () => {
    const verification = verifyQuote(findSwap())
    assert.isTrue(verification.ok && verification.calls.length === 3 && verification.maxGas.token > 0n)
    assert.strictEqual(verification.ok && verification.userOperationHash, findSwap().quote.userOperationHash)
  })
})

describe("two operations", () => {
  /** Splits the calls of a swap into two operations. The matching calls are in the first one. */
  const splitQuote = (isFirst: (call: ForgedCall) => boolean): HonestQuote => {
    const swap = testedQuotes.find(({ kind, name }) => name === "swap" && kind === "SimpleAccount 0.8")!
    const firstQuote = forge(swap, { calls: (calls) => calls.filter(isFirst) })
    const secondQuote = forge(swap, {
      calls: (calls) => calls.filter((call) => !isFirst(call)),
      operation: (operation) => ({ ...operation, nonce: operation.nonce + 1n })
    })
    const quote = {
      ...secondQuote,
      userOperations: [...firstQuote.userOperations, ...secondQuote.userOperations],
      signData: [...firstQuote.signData, ...secondQuote.signData],
      preview: { ...secondQuote.preview, calls: [...firstQuote.preview.calls, ...secondQuote.preview.calls] }
    }
    return { ...swap, quote }
  }
  const isForGas = ({ data }: ForgedCall) => data.startsWith("0x095ea7b3")
  const codesOf = (each: HonestQuote) => problemsOf(each).map(({ code }) => code)

  it("may allow gas in the first one, and nothing else: others may act between the two", () => {
    assert.notInclude(codesOf(splitQuote(isForGas)), "unknown_call")
    assert.include(codesOf(splitQuote((call) => isForGas(call) || call.data.startsWith("0xa9059cbb"))), "unknown_call")
  })
})

describe("a full withdrawal from Morpho Blue", () => {
  const SHARES = 40_000_000_000_000n
  const morphoAbi = parseAbi([
    "struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }",
    "function supply(MarketParams market, uint256 assets, uint256 shares, address onBehalf, bytes data)",
    "function withdraw(MarketParams market, uint256 assets, uint256 shares, address onBehalf, address receiver)"
  ])

  /** Replaces the lent amount by a full withdrawal of this many shares. */
  const withdrawalOf = (shares: bigint, trust: Trust): HonestQuote => {
    const lendingQuote = testedQuotes.find(({ name }) => name === "lending in a market")!
    const { supply: _, ...request } = lendingQuote.request as LendingRequest
    const wallet = lendingQuote.account.walletAddress as Hex
    const quote = forge(lendingQuote, {
      calls: (calls) =>
        calls.flatMap((call) => {
          if (call.to !== MORPHO) return call.data.includes(MORPHO.slice(2)) ? [] : [call]
          const [market] = decodeFunctionData({ abi: morphoAbi, data: call.data as Hex }).args
          const args = [market, 0n, shares, wallet, wallet] as const
          return [{ ...call, data: encodeFunctionData({ abi: morphoAbi, functionName: "withdraw", args }) }]
        }),
      quote: ({ supply, ...rest }) => ({ ...rest, supply: null, withdraw: { tokenOut: supply.tokenIn } })
    })
    const withdrawLeg = { chainId: 1, tokenAddress: USDC, amount: "MAX", side: "LOAN", marketId: MARKET }
    return {
      ...lendingQuote,
      quote,
      request: { ...request, withdraw: withdrawLeg } as LendingRequest,
      trust: { ...lendingQuote.trust, ...trust }
    }
  }
  const loans = { [MARKET]: { supplyShares: SHARES, borrowShares: 0n, collateral: "0" } }
  const codesOf = (each: HonestQuote) => problemsOf(each).map(({ code }) => code)

  it("matches the wallet's on-chain shares, and not the quote's", () => {
    assert.deepStrictEqual(codesOf(withdrawalOf(SHARES, { loans })), [])
    assert.deepStrictEqual(codesOf(withdrawalOf(SHARES - 1n, { loans })), ["gives_too_little"])
    assert.deepStrictEqual(codesOf(withdrawalOf(1n, { loans })), ["gives_too_little"])
    assert.deepStrictEqual(codesOf(withdrawalOf(SHARES, {})), ["unknown_position"])
  })

  it("uses the requested market, whichever others are trusted", () => {
    const otherMarket = `0x${"ab".repeat(32)}`
    const withdrawalQuote = withdrawalOf(SHARES, { loans, markets: [MARKET, otherMarket] })
    const { withdraw, ...request } = withdrawalQuote.request as LendingRequest
    const otherRequest = { ...request, withdraw: { ...withdraw!, marketId: otherMarket } } as LendingRequest
    assert.include(codesOf({ ...withdrawalQuote, request: otherRequest }), "unknown_market")
  })
})

describe("the caller's data about positions", () => {
  const quoteOf = (name: string) => testedQuotes.find((each) => each.name === name)!
  const findWithdrawal = () => quoteOf("withdrawal to another receiver, with fees")
  const codesOf = (each: HonestQuote) => problemsOf(each).map(({ code }) => code)
  const codesOfRequest = (name: string, changes: object) =>
    codesOf({ ...quoteOf(name), request: { ...quoteOf(name).request, ...changes } as HonestQuote["request"] })
  const codesOfPosition = (changes: Partial<KnownPosition>) => {
    const { request, trust } = findWithdrawal()
    const { tokenId } = request as { tokenId: string }
    const positions = { [tokenId]: { ...trust.positions![tokenId]!, ...changes } }
    return codesOf({ ...findWithdrawal(), trust: { ...trust, positions } })
  }

  it("is required for every operation on an existing position", () => {
    for (const name of [
      "withdrawal to another receiver, with fees",
      "addition",
      "move for another receiver, with fees"
    ]) {
      assert.deepStrictEqual(codesOf({ ...quoteOf(name), trust: { ...quoteOf(name).trust, positions: {} } }), [
        "unknown_position"
      ])
    }
  })

  it("determines the tokens, ticks and liquidity, as text or as a number", () => {
    assert.deepStrictEqual(codesOfPosition({}), [])
    const { liquidity } = Object.values(findWithdrawal().trust.positions!)[0]!
    assert.deepStrictEqual(codesOfPosition({ liquidity: String(liquidity) }), [])
    assert.include(codesOfPosition({ liquidity: BigInt(liquidity) / 2n }), "pays_too_much")
    assert.include(codesOfPosition({ liquidity: BigInt(liquidity) * 2n }), "gives_too_little")
    assert.include(codesOfPosition({ token1: LINK }), "wrong_echo")
    assert.include(codesOfPosition({ tickLower: 195_000 }), "wrong_echo")
  })

  it("is compared with the request, whatever the quote repeats", () => {
    assert.include(
      codesOfRequest("position for another receiver, with fees", { toAddress: USDC }),
      "pays_somebody_else"
    )
    assert.include(codesOfRequest("position for another receiver, with fees", { minPrice: 2400 }), "wrong_position")
    assert.include(codesOfRequest("position for another receiver, with fees", { poolFeePercent: 1 }), "wrong_position")
    assert.include(codesOfRequest("position for another receiver, with fees", { token0: LINK }), "wrong_position")
    assert.include(codesOfRequest("position for another receiver, with fees", { slippage: 0.01 }), "gives_too_little")
    assert.include(codesOfRequest("position for another receiver, with fees", { amountIn: "4999" }), "pays_too_much")
    assert.include(codesOfRequest("addition", { minPrice: 2000 }), "wrong_position")
    assert.include(codesOfRequest("withdrawal to another receiver, with fees", { percentage: 25 }), "pays_too_much")
    assert.include(
      codesOfRequest("withdrawal to another receiver, with fees", { toAddress: USDC }),
      "pays_somebody_else"
    )
    assert.include(codesOfRequest("withdrawal to another receiver, with fees", { tokenOut: WETH }), "wrong_echo")
    assert.include(
      codesOfRequest("withdrawal to another receiver, with fees", { transactionFeePercent: 1 }),
      "pays_too_much"
    )
    assert.include(
      codesOfRequest("withdrawal to another receiver, with fees", { transactionFeePercent: 2 }),
      "gives_too_little"
    )
    assert.include(
      codesOfRequest("move for another receiver, with fees", { newPosition: { minPrice: 0.0003, maxPrice: 0.0006 } }),
      "wrong_position"
    )
  })

  it("limits a withdrawal, and shows the initial price of a pool", () => {
    const { minAmountOut } = findWithdrawal().quote as LiquidityWithdrawal
    const codesOfMinimum = (minAmount: string) =>
      codesOf({ ...findWithdrawal(), trust: { ...findWithdrawal().trust, minAmountsOut: [minAmount] } })
    assert.deepStrictEqual(codesOfMinimum(minAmountOut), [])
    assert.deepStrictEqual(codesOfMinimum("1000000"), ["gives_too_little"])
    const newPoolVerification = verifyQuote(quoteOf("position in a new pool"))
    assert.approximately(newPoolVerification.ok ? newPoolVerification.startPrice! : 0, 3000, 30)
    const receiverVerification = verifyQuote(quoteOf("position for another receiver, with fees"))
    assert.isTrue(receiverVerification.ok && receiverVerification.startPrice === null)
  })
})

/** Builds the quote of a swap with calls of another form. The calls that approve the gas token remain. */
const quoteOfForm = ({ calls, of: swapName, routers = {} }: Form, kind: string): HonestQuote => {
  const name = swapName === "USDC for WETH" ? "swap" : "swap of native tokens, gas in native tokens"
  const swap = testedQuotes.find((each) => each.kind === kind && each.name === name)!
  const { quote } = swap
  if (quote.type !== "SWAP") throw new Error("expected a swap")
  const [decimalsIn, decimalsOut] = swapName === "USDC for WETH" ? [6, 18] : [18, 6]
  const ownCalls = calls({
    amount: parseUnits(quote.amountIn, decimalsIn),
    minAmount: parseUnits(quote.minAmountOut, decimalsOut),
    deadline: BigInt(quote.expiresAt + 60),
    wallet: swap.account.walletAddress as Hex
  })
  const paymaster = quote.userOperations[0]!.paymaster?.slice(2)
  const isForGas = (data: string) =>
    paymaster !== undefined && data.startsWith("0x095ea7b3") && data.includes(paymaster)
  const formQuote = forge(swap, {
    calls: (honestCalls) => [...honestCalls.filter(({ data }) => isForGas(data)), ...ownCalls]
  })
  return { ...swap, quote: formQuote, trust: { ...swap.trust, routers } }
}

describe("swaps through routers", () => {
  it.each(forms.map((form) => [form.codes.length === 0 ? "passes" : "detects that", form.name, form] as const))(
    "%s %s",
    (_verb, name, form) => {
      for (const kind of new Set(testedQuotes.map((each) => each.kind))) {
        const foundProblems = problemsOf(quoteOfForm(form, kind))
        if (form.codes.length === 0) assert.deepStrictEqual(foundProblems, [], `${kind}, ${name}`)
        else
          assert.isTrue(
            foundProblems.some(({ code }) => form.codes.includes(code)),
            `${kind}, ${name}: ${JSON.stringify(foundProblems)}`
          )
      }
    }
  )
})
