import { assert, describe, it } from "@effect/vitest"
import { codec } from "../../src/verify/abi.ts"
import { NATIVE } from "../../src/verify/contracts.ts"
import { Ledger } from "../../src/verify/ledger.ts"
import { checkLiquidity } from "../../src/verify/liquidity.ts"
import { checkOutcome } from "../../src/verify/outcome.ts"
import type { LiquidityTerms } from "../../src/verify/requestTerms.ts"
import { checkOutputFees } from "../../src/verify/shares.ts"
import { runV4 } from "../../src/verify/v4Router.ts"

const addressOf = (byte: string) => `0x${byte.repeat(20)}` as const
const [wallet, router, manager, collector] = [addressOf("a1"), addressOf("a2"), addressOf("a3"), addressOf("a4")]
const otherRouter = addressOf("a5")
const tokens = [addressOf("b1"), addressOf("b2")] as const
const [token0, token1] = tokens
const HOSTILE_TOKEN = addressOf("e1")

/** A range that is narrower than the slippage, so that the minimums of all compositions are zero. */
const ticks = { tickLower: -10, tickUpper: 10 }
const LIQUIDITY = 10_000_000n
const noGas = { token: 0n, lastOperation: 0n, validUntil: [] }

const termsOf = (ledger: Ledger, removed: readonly [bigint, bigint], extra: LiquidityTerms["shares"]["extra"] = null) =>
  ({
    open: ledger.position,
    payout: null,
    taking: { shown: { removed } },
    shares: { service: 1, extra }
  }) as unknown as LiquidityTerms

/** Builds a ledger in which a router holds what a position pays. */
const collectingLedger = (
  promised: readonly [bigint, bigint],
  minAmounts: readonly [bigint, bigint],
  liquidity = LIQUIDITY
) => {
  const problems: Array<string> = []
  const ledger = new Ledger({
    wallet,
    wrapped: addressOf("b0"),
    routers: { [router]: "UNIVERSAL", [otherRouter]: "ROUTER_02" },
    lenders: {},
    manager,
    position: { tokens, promised },
    bridge: null,
    trusted: new Set([...tokens, NATIVE]),
    report: (_, message) => void problems.push(message)
  })
  ledger.positionActs.push({ does: "DECREASE", tokenId: 1n, liquidity, minAmounts })
  ledger.collect(router)
  return { ledger, problems }
}

describe("an operation on a position", () => {
  it("can pay a fixed fee on unclaimed tokens, whose amount the verifier can't know", () => {
    const checkFee = (fee: bigint, collectedAmount: bigint, bips = 0n) => {
      const { ledger, problems } = collectingLedger([collectedAmount, 0n], [9_900n, 0n])
      ledger.cut(router, { token: token0, to: collector, bips: 0n, amount: fee })
      if (bips > 0n) ledger.cut(router, { token: token0, to: collector, bips, amount: 0n })
      const terms = {
        open: ledger.position,
        payout: null,
        taking: { shown: { removed: [10_000n, 0n] } },
        shares: { service: 1, extra: null }
      } as unknown as LiquidityTerms
      checkOutputFees(ledger, terms, [collector], (_, __, message) => void problems.push(message))
      return { problems: problems.length, unknown: ledger.unknown.size }
    }
    assert.deepStrictEqual(checkFee(99n, 10_000n), { problems: 0, unknown: 0 })
    assert.deepStrictEqual(checkFee(9_999n, 10_000n), { problems: 1, unknown: 0 })
    assert.deepStrictEqual(checkFee(9_999n, 1_000_000n), { problems: 0, unknown: 1 })
    assert.deepStrictEqual(checkFee(99n, 1_000_000n, 99n), { problems: 0, unknown: 1 })
  })

  it("can't pay a larger fraction than the percentage of a token of which the quote states nothing", () => {
    const { ledger, problems } = collectingLedger([10_000n, 0n], [0n, 0n])
    ledger.cut(router, { token: token1, to: collector, bips: 9_999n, amount: 0n })
    const terms = {
      open: ledger.position,
      payout: null,
      taking: { shown: { removed: [10_000n, 0n] } },
      shares: { service: 1, extra: null }
    } as unknown as LiquidityTerms
    checkOutputFees(ledger, terms, [collector], (_, __, message) => void problems.push(message))
    assert.isTrue(problems.some((message) => /more than 1 % of/u.test(message)))
  })

  it("can't pay a fraction to a router, which could return it after a fee on the rest", () => {
    const { ledger, problems } = collectingLedger([10_000n, 0n], [0n, 0n])
    ledger.cut(router, { token: token1, to: otherRouter, bips: 9_999n, amount: 0n })
    assert.match(problems.join(), /a fraction of/u)
  })

  it("can't pay the same fee again from the output of a swap of the remainder", () => {
    const { ledger, problems } = collectingLedger([10_000n, 0n], [10_000n, 0n])
    ledger.cut(router, { token: token0, to: collector, bips: 100n, amount: 0n })
    ledger.use(router, token1, null)
    const { shares } = ledger.sell(router, token0, 9_000n)
    ledger.arrive(token1, router, 8_900n, "AT_LEAST", shares)
    ledger.cut(router, { token: token1, to: collector, bips: 100n, amount: 0n })
    checkOutputFees(ledger, termsOf(ledger, [10_000n, 0n]), [collector], (code) => void problems.push(code))
    assert.deepStrictEqual(problems, ["pays_too_much"])
  })

  it("can pay equal fees to two receivers", () => {
    const { ledger, problems } = collectingLedger([10_000n, 10_000n], [10_000n, 10_000n])
    const partner = addressOf("a6")
    for (const token of tokens) {
      ledger.cut(router, { token, to: collector, bips: 100n, amount: 0n })
      // 1 % of the output is 1.01 % of what remains after the first fee.
      ledger.cut(router, { token, to: partner, bips: 101n, amount: 0n })
    }
    const terms = termsOf(ledger, [10_000n, 10_000n], { to: partner, percent: 1 })
    checkOutputFees(ledger, terms, [collector], (code) => void problems.push(code))
    assert.deepStrictEqual(problems, [])
  })

  it("can pay both fees to one address", () => {
    const payFees = (extraBips: bigint) => {
      const { ledger, problems } = collectingLedger([10_000n, 10_000n], [10_000n, 10_000n])
      for (const token of tokens) {
        for (const bips of [100n, extraBips]) ledger.cut(router, { token, to: collector, bips, amount: 0n })
      }
      const terms = termsOf(ledger, [10_000n, 10_000n], { to: collector, percent: 0.5 })
      checkOutputFees(ledger, terms, [collector], (code) => void problems.push(code))
      return problems
    }
    assert.deepStrictEqual(payFees(50n), [])
    assert.deepStrictEqual(payFees(60n), ["pays_too_much", "pays_too_much"])
  })

  it("can't pay a collector instead of the partner, or in addition to it", () => {
    const otherCollector = addressOf("a6")
    const collectors = [collector, otherCollector]
    const payFees = (service: number, ...fees: ReadonlyArray<readonly [to: typeof collector, bips: bigint]>) => {
      const { ledger, problems } = collectingLedger([10_000n, 10_000n], [10_000n, 10_000n])
      for (const token of tokens) {
        for (const [to, bips] of fees) ledger.cut(router, { token, to, bips, amount: 0n })
      }
      for (const token of tokens) ledger.pass(ledger.use(router, token, null), token, wallet, 0n)
      const extra = { to: collector, percent: 0.5 }
      const liquidity = { ...termsOf(ledger, [10_000n, 10_000n]), shares: { service, extra } }
      const report = (code: string) => void problems.push(code)
      checkOutputFees(ledger, liquidity, collectors, report)
      const terms = { wallet, gasToken: NATIVE, elements: [], lending: null, liquidity }
      checkOutcome({ ledger, terms: terms as never, gas: noGas, collectors, paymasters: new Set() }, report)
      return [...new Set(problems)]
    }
    assert.deepStrictEqual(payFees(0, [collector, 50n]), [])
    assert.deepStrictEqual(payFees(1, [collector, 150n]), [])
    assert.deepStrictEqual(payFees(1, [otherCollector, 100n], [collector, 50n]), [])
    assert.deepStrictEqual(payFees(0, [collector, 50n], [otherCollector, 5_000n]), ["pays_somebody_else"])
    assert.deepStrictEqual(payFees(1, [otherCollector, 150n]), ["gives_too_little"])
  })

  it("can't use a router after it has paid out tokens", () => {
    const uses: Readonly<Record<string, (ledger: Ledger) => unknown>> = {
      "a swap": (ledger) => ledger.sell(router, token0, null),
      "a fee": (ledger) => ledger.cut(router, { token: token0, to: collector, bips: 100n, amount: 0n }),
      "a deposit": (ledger) => ledger.addDeposit(router, token0),
      "a transfer to a router": (ledger) => ledger.send(token0, otherRouter, 1n),
      "a payment by the wallet": (ledger) => ledger.pull(token1, otherRouter, 0n, "ALLOWANCE")
    }
    for (const [name, use] of Object.entries(uses)) {
      const { ledger, problems } = collectingLedger([10_000n, 10_000n], [10_000n, 10_000n])
      ledger.pass(ledger.use(router, token1, null), token1, wallet, 0n)
      ledger.pass(ledger.use(router, token0, 0n), token0, wallet, 0n)
      assert.deepStrictEqual(problems, [], name)
      use(ledger)
      assert.match(problems.join(), /after it has paid out/u, name)
    }
  })

  it("can't conceal a high fee by a fraction of dust, or pay a fee again from tokens that return", () => {
    const amount = 10n ** 12n
    const payoutOf = (token: (typeof tokens)[number]) => ({ to: wallet, token, minAmount: 0n })
    const concealedFee = collectingLedger([amount, 0n], [amount, 0n])
    concealedFee.ledger.cut(router, { token: token1, to: wallet, bips: 9_834n, amount: 0n })
    concealedFee.ledger.pass(concealedFee.ledger.use(router, token1, null), token1, wallet, 0n)
    const { shares } = concealedFee.ledger.sell(router, token0, null)
    concealedFee.ledger.arrive(token1, router, amount, "AT_LEAST", shares)
    const fee = (amount * 60n) / 100n
    concealedFee.ledger.cut(router, { token: token1, to: collector, bips: 0n, amount: fee })
    concealedFee.ledger.pass(concealedFee.ledger.use(router, token1, null), token1, wallet, amount - fee)
    const repeatedFee = collectingLedger([amount, 0n], [amount, 0n])
    for (const [amountIn, minAmount] of [
      [amount, 990n],
      [990n, 980n]
    ] as const) {
      repeatedFee.ledger.send(token0, router, amountIn)
      repeatedFee.ledger.cut(router, { token: token0, to: collector, bips: 100n, amount: 0n })
      repeatedFee.ledger.pass(repeatedFee.ledger.use(router, token0, null), token0, wallet, minAmount)
    }
    for (const [{ ledger, problems }, token] of [
      [concealedFee, token1],
      [repeatedFee, token0]
    ] as const) {
      const terms = { ...termsOf(ledger, [amount, 0n]), payout: payoutOf(token) }
      checkOutputFees(ledger, terms, [collector], (_, __, message) => void problems.push(message))
    }
    assert.match(concealedFee.problems.join(), /gets a fraction of .*, but is no fee receiver/u)
    assert.match(repeatedFee.problems.join(), /before the complete amount has arrived/u)
  })

  it("can't pay the fee again from tokens that a router sends to another router", () => {
    const { ledger, problems } = collectingLedger([10_000n, 0n], [10_000n, 0n])
    ledger.cut(router, { token: token0, to: collector, bips: 100n, amount: 0n })
    ledger.cut(router, { token: token0, to: otherRouter, bips: 0n, amount: 9_000n })
    const { shares } = ledger.sell(otherRouter, token0, null)
    ledger.use(router, token1, null)
    ledger.arrive(token1, router, 8_900n, "AT_LEAST", shares)
    ledger.cut(router, { token: token1, to: collector, bips: 100n, amount: 0n })
    checkOutputFees(ledger, termsOf(ledger, [10_000n, 0n]), [collector], (code) => void problems.push(code))
    assert.deepStrictEqual(problems, ["pays_too_much"])
  })

  it("can't take the output of V4 before it pays an input from which fees were paid", () => {
    const { ledger, problems } = collectingLedger([10_000n, 0n], [10_000n, 0n])
    ledger.cut(router, { token: token0, to: collector, bips: 100n, amount: 0n })
    const pool = [token0, token1, 500n, 10n, addressOf("00")]
    const swap = codec("((address,address,uint24,int24,address),bool,uint128,uint128,bytes)")
    const inputs = [
      swap.encode([pool, 1n, 9_000n, 8_900n, "0x"]),
      codec("address,address,uint256").encode(token1, `0x${"00".repeat(19)}02`, 0n),
      codec("address,uint256,bool").encode(token0, 9_000n, 0n)
    ]
    runV4(ledger, router, "0x060e0b", inputs)
    assert.match(problems.join(), /only a part of the swapped amount/u)
  })

  it("pays exact sums of percentages to a partner that is a collector", () => {
    const amount = 10n ** 21n
    const { ledger, problems } = collectingLedger([amount, 0n], [amount, 0n])
    for (const token of tokens)
      ledger.pass(ledger.use(router, token, null), token, wallet, token === token0 ? amount : 0n)
    for (const fee of [(amount * 7n) / 1_000n, amount / 1_000n]) ledger.send(token0, collector, fee)
    const shares = { service: 0.7, extra: { to: collector, percent: 0.1 } }
    const terms = { ...termsOf(ledger, [amount, 0n]), shares, payout: { to: wallet, token: token0, minAmount: 0n } }
    checkOutputFees(ledger, terms, [collector], (code) => void problems.push(code))
    assert.deepStrictEqual(problems, [])
  })

  it("can't run foreign code while a router holds what the deposit left", () => {
    const { ledger, problems } = collectingLedger([10_000n, 10_000n], [0n, 0n])
    for (const token of tokens) ledger.addDeposit(router, token)
    ledger.positionActs.push({ does: "MINT" } as never)
    ledger.runCode(tokens)
    assert.deepStrictEqual(problems, [])
    ledger.runCode([HOSTILE_TOKEN])
    assert.match(problems.join(), /what the deposit left/u)
  })

  it("can't swap what a router has returned to the wallet", () => {
    const { ledger, problems } = collectingLedger([0n, 0n], [0n, 0n])
    for (const token of tokens) ledger.pass(ledger.use(router, token, null), token, otherRouter, 0n)
    ledger.allow(token0, otherRouter, 10_000n)
    ledger.pull(token0, otherRouter, 10_000n, "ALLOWANCE")
    ledger.arrive(token0, otherRouter, 10_000n, "EXACTLY")
    ledger.addDeposit(otherRouter, token0)
    ledger.addDeposit(otherRouter, token1)
    for (const token of tokens)
      ledger.pass(ledger.use(otherRouter, token, null), token, wallet, token === token0 ? 9_990n : 0n)
    const deposit = { tokenIn: token0, amount: 10_000n, to: wallet, serviceFee: 0n, extraFee: null, out: "POSITION" }
    const terms = {
      wallet,
      gasToken: token0,
      elements: [{ ...deposit, deductsGas: false }],
      lending: null,
      liquidity: { open: null, taking: null, payout: null, placing: {}, shares: { service: 0, extra: null } }
    } as unknown as Parameters<typeof checkOutcome>[0]["terms"]
    const check = () =>
      checkOutcome({ ledger, terms, gas: noGas, collectors: [], paymasters: new Set() }, (code) => problems.push(code))
    check()
    assert.deepStrictEqual(problems, [])
    ledger.allow(token0, otherRouter, 9_990n)
    ledger.pull(token0, otherRouter, 9_990n, "ALLOWANCE")
    check()
    assert.include(problems, "pays_too_much")
  })

  it("can't swap more of a position's token than the quote states", () => {
    const { ledger, problems } = collectingLedger([10_000n, 100n], [0n, 0n])
    ledger.sell(router, token1, 100n)
    assert.deepStrictEqual(problems, [])
    ledger.sell(router, token1, 1n)
    assert.match(problems.join(), /uses more/u)
  })

  it("can't swap tokens that it moved to another router, beyond what the quote states", () => {
    for (const payment of [
      { bips: 10_000n, amount: 0n },
      { bips: 0n, amount: 4_999n }
    ]) {
      const { ledger, problems } = collectingLedger([10_000n, 0n], [0n, 0n])
      ledger.cut(router, { token: token1, to: otherRouter, ...payment })
      ledger.sell(otherRouter, token1, null)
      const isLimited = problems.length > 0 || ledger.soldBalances.some(({ amount }) => amount === 0n)
      assert.isTrue(isLimited, problems.join())
    }
  })

  it("can swap a part of native tokens through an unknown token, and deposit the rest", () => {
    const { ledger, problems } = collectingLedger([0n, 0n], [0n, 0n])
    ledger.send(NATIVE, otherRouter, 100n)
    ledger.use(otherRouter, NATIVE, 40n)
    ledger.runCode([HOSTILE_TOKEN])
    ledger.pass(ledger.use(otherRouter, NATIVE, 60n), ledger.wrapped, otherRouter, 0n)
    ledger.addDeposit(otherRouter, ledger.wrapped)
    assert.deepStrictEqual(problems, [])
  })

  it("can pay a fixed fee that is higher than the stated amount of a token, from the output of a swap", () => {
    const { ledger, problems } = collectingLedger([10_000n, 1n], [0n, 0n])
    ledger.sell(router, token0, null)
    ledger.arrive(token1, router, 0n, "AT_LEAST")
    ledger.cut(router, { token: token1, to: collector, bips: 0n, amount: 100n })
    assert.deepStrictEqual(problems, [])
  })

  it("can't swap the complete balance of a token of which the quote states nothing", () => {
    const sellAll = (removed: readonly [bigint, bigint], minAmounts: readonly [bigint, bigint]) => {
      const { ledger, problems } = collectingLedger(removed, minAmounts)
      ledger.sell(router, token1, null)
      const terms = {
        managed: new Set(),
        slippage: 0.5,
        taking: {
          tokenId: 1n,
          ticks,
          liquidity: LIQUIDITY,
          isAll: true,
          shown: { liquidity: null, burned: null, removed, collected: removed }
        },
        placing: { pool: { token0, token1, fee: 100 }, createsPool: false, tokenId: null }
      } as unknown as LiquidityTerms
      checkLiquidity(ledger, terms, (_, __, message) => void problems.push(message))
      return { isRejected: /of which the quote states 0/u.test(problems.join()), unknown: [...ledger.unknown].join() }
    }
    assert.isTrue(sellAll([10_000n, 0n], [0n, 0n]).isRejected)
    // At the middle of the range, the position can still become one of only token1, if the minimums are zero.
    const openSwap = sellAll([4_998n, 4_998n], [0n, 0n])
    assert.isFalse(openSwap.isRejected)
    assert.match(openSwap.unknown, /4998 base units .* up to 9999 base units/u)
    assert.strictEqual(sellAll([4_998n, 4_998n], [4_996n, 4_996n]).unknown, "")
  })
})
