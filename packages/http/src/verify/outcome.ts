import { type Bytes, smallest } from "./bytes.ts"
import { NATIVE } from "./contracts.ts"
import type { GasLimits } from "./gas.ts"
import type { Ledger } from "./ledger.ts"
import type { Element, Terms } from "./requestTerms.ts"
import type { Report } from "./shapes.ts"
import { feeReceiversOf } from "./shares.ts"

export interface OutcomeCheck {
  readonly ledger: Ledger
  readonly terms: Terms
  readonly gas: GasLimits
  readonly collectors: ReadonlyArray<Bytes>
  readonly paymasters: ReadonlySet<Bytes>
}

/** The amount of a token that a receiver must get. */
interface Demand {
  readonly to: Bytes
  readonly token: Bytes
  readonly minAmount: bigint
  /** Null if there is no maximum. SHARE if the amount is a fraction, which `checkOutputFees` checks. */
  readonly maxAmount: bigint | "SHARE" | null
  /** Whether every collector may get a part of the amount, because they share one fee. */
  readonly isShared?: boolean
}

/**
 * Maximum remaining allowance of a paymaster, as a multiple of the operation's maximum gas fee. It is more than one
 * fee, because an approval per operation would cost more gas than the fee.
 */
export const STANDING_FEES = 256n

const sumBy = <A>(
  items: ReadonlyArray<A>,
  keyOf: (item: A) => string,
  amountOf: (item: A) => bigint
): Map<string, bigint> => {
  const sums = new Map<string, bigint>()
  for (const item of items) sums.set(keyOf(item), (sums.get(keyOf(item)) ?? 0n) + amountOf(item))
  return sums
}

/**
 * Returns the amounts that an element must pay to each receiver. `maxDeduction` is the maximum gas fee that may have
 * been deducted from the element's amount.
 */
const demandsOf = (element: Element, collectors: ReadonlyArray<Bytes>, maxDeduction: bigint): ReadonlyArray<Demand> => {
  const { amount, extraFee, out, serviceFee, to, tokenIn: token } = element
  const [collector] = collectors
  // If there is no collector, the fee is not charged.
  const chargedServiceFee = collector === undefined ? 0n : serviceFee
  const exactDemand = (receiver: Bytes, value: bigint): Demand => ({
    to: receiver,
    token,
    minAmount: value,
    maxAmount: value
  })
  const amountAfterFees = amount - chargedServiceFee - (extraFee?.amount ?? 0n)
  const fees = [
    ...(collector === undefined ? [] : [{ ...exactDemand(collector, chargedServiceFee), isShared: true }]),
    ...(extraFee === null ? [] : [exactDemand(extraFee.to, extraFee.amount)])
  ]
  if (out === "POSITION") return fees
  return [
    ...fees,
    out === null
      ? { to, token, minAmount: amountAfterFees - maxDeduction, maxAmount: amountAfterFees }
      : { to, token: out.token, minAmount: out.minAmount, maxAmount: null }
  ]
}

/** Returns the payout of a withdrawal, and the fees that are deducted from it. */
const payoutDemands = ({ liquidity }: Terms, collectors: ReadonlyArray<Bytes>): ReadonlyArray<Demand> => {
  if (liquidity === null || liquidity.taking === null) return []
  const { open, payout, shares } = liquidity
  const tokens = payout === null ? (open?.tokens ?? []) : [payout.token]
  return [
    ...(payout === null ? [] : [{ ...payout, maxAmount: null }]),
    ...feeReceiversOf(shares, collectors).flatMap((party) =>
      tokens.flatMap((token) => party.to.map((to): Demand => ({ to, token, minAmount: 0n, maxAmount: "SHARE" })))
    )
  ]
}

/** Returns the element whose amount the gas fee reduces: the first that deducts gas and has the gas token as input. */
const gasElementOf = ({ elements, gasToken }: Terms): Element | undefined =>
  elements.find(({ deductsGas, tokenIn }) => deductsGas && tokenIn === gasToken)

/** Merges the native token and its wrapped form for lending, because the operation wraps and unwraps native tokens. */
const mergeWrappedToken = (sums: ReadonlyMap<string, bigint>, { lending }: Terms, { wrapped }: Ledger) =>
  lending === null
    ? sums
    : sumBy(
        [...sums],
        ([token]) => (token === wrapped ? NATIVE : token),
        ([, amount]) => amount
      )

const checkSpending = ({ gas, ledger, terms }: OutcomeCheck, demands: ReadonlyArray<Demand>, report: Report): void => {
  const deductsGas = gasElementOf(terms) !== undefined
  const inputAmounts = sumBy(
    terms.elements,
    ({ tokenIn }) => tokenIn,
    ({ amount }) => amount
  )
  const returnedAmounts = sumBy(
    demands.filter(({ to }) => to === ledger.wallet),
    ({ token }) => token,
    ({ minAmount }) => minAmount
  )
  const [outflows, inflows] = [
    mergeWrappedToken(ledger.out, terms, ledger),
    mergeWrappedToken(ledger.in, terms, ledger)
  ]
  for (const token of new Set([...inputAmounts.keys(), ...outflows.keys(), ...returnedAmounts.keys()])) {
    const [inputAmount, outflow] = [inputAmounts.get(token) ?? 0n, outflows.get(token) ?? 0n]
    const [minDeduction, maxDeduction] =
      deductsGas && token === terms.gasToken ? [gas.lastOperation, gas.token] : [0n, 0n]
    const maxOutflow = inputAmount - minDeduction
    const [inflow, dueAmount] = [inflows.get(token) ?? 0n, returnedAmounts.get(token) ?? 0n]
    // What returns to the wallet from a deposit must stay there. It could leave again in a swap without a minimum.
    const receivedAmount = terms.liquidity?.placing == null ? inflow : smallest(inflow, dueAmount)
    if (outflow - receivedAmount > maxOutflow - dueAmount) {
      const isLess = receivedAmount < dueAmount
      report(
        isLess ? "gives_too_little" : "pays_too_much",
        "userOperations",
        isLess
          ? `The calls guarantee the wallet only ${receivedAmount} base units of ${token}; at least ${dueAmount} are required.`
          : `${outflow - receivedAmount} base units of ${token} leave the wallet; at most ${maxOutflow - dueAmount} are allowed.`
      )
    }
    if (outflow < inputAmount - maxDeduction) {
      report(
        "pays_too_little",
        "userOperations",
        `The calls use ${outflow} base units of ${token}; ${inputAmount} were requested.`
      )
    }
  }
}

const checkPayments = ({ collectors, ledger }: OutcomeCheck, demands: ReadonlyArray<Demand>, report: Report): void => {
  const keyOf = ({ to, token }: Pick<Demand, "to" | "token">): string => `${to} ${token}`
  // Treats all collectors as one party, because they share one fee.
  const partyKeyOf = ({ to, token }: Pick<Demand, "to" | "token">): string =>
    keyOf({ to: collectors.includes(to) ? collectors[0]! : to, token })
  const foreignDemands = demands.filter(({ to }) => to !== ledger.wallet)
  const minAmounts = sumBy(foreignDemands, partyKeyOf, ({ minAmount }) => minAmount)
  // A payment to a collector that is also a receiver must not go to another collector.
  const ownMinAmounts = sumBy(
    foreignDemands.filter(({ isShared, to }) => isShared !== true && collectors.includes(to)),
    keyOf,
    ({ minAmount }) => minAmount
  )
  const receiverKeys = new Set(
    foreignDemands.flatMap((demand) =>
      demand.isShared === true ? collectors.map((to) => keyOf({ ...demand, to })) : [keyOf(demand)]
    )
  )
  const unlimitedKeys = new Set(foreignDemands.filter(({ maxAmount }) => maxAmount === null).map(keyOf))
  const fractionKeys = new Set(foreignDemands.filter(({ maxAmount }) => maxAmount === "SHARE").map(keyOf))
  const maxAmounts = sumBy(foreignDemands, partyKeyOf, ({ maxAmount }) =>
    typeof maxAmount === "bigint" ? maxAmount : 0n
  )
  const feePaymentKeys = new Set(ledger.cuts.flatMap((cut) => (cut.bips > 0n ? [keyOf(cut)] : [])))
  const payments = [...ledger.paid].map(([key, amount]) => {
    const [to, token] = key.split(" ") as [Bytes, Bytes]
    return { to, token, amount }
  })
  const paidAmounts = sumBy(payments, partyKeyOf, ({ amount }) => amount)
  const limitedAmounts = sumBy(
    payments.filter((payment) => !unlimitedKeys.has(keyOf(payment)) && !fractionKeys.has(keyOf(payment))),
    partyKeyOf,
    ({ amount }) => amount
  )
  for (const payment of payments) {
    const key = keyOf(payment)
    const { to, token } = payment
    if (!receiverKeys.has(key)) {
      report("pays_somebody_else", "userOperations", `${to} gets ${token}, but is not a requested receiver.`)
    } else if (
      !unlimitedKeys.has(key) &&
      (ledger.unbounded.has(key) || (feePaymentKeys.has(key) && !fractionKeys.has(key)))
    ) {
      report("pays_too_much", "userOperations", `The amount of ${token} that ${to} gets has no upper limit.`)
    }
  }
  const requireMinimum = (key: string, amount: bigint, minAmount: bigint): void => {
    const [to, token] = key.split(" ")
    if (amount < minAmount) {
      report(
        "gives_too_little",
        "userOperations",
        `The calls guarantee ${to} only ${amount} base units of ${token}; at least ${minAmount} are required.`
      )
    }
  }
  for (const [key, minAmount] of ownMinAmounts) requireMinimum(key, ledger.paid.get(key) ?? 0n, minAmount)
  for (const [key, minAmount] of minAmounts) {
    requireMinimum(key, paidAmounts.get(key) ?? 0n, minAmount)
    const [limitedAmount, maxAmount] = [limitedAmounts.get(key) ?? 0n, maxAmounts.get(key)!]
    const [to, token] = key.split(" ")
    if (limitedAmount > maxAmount) {
      report(
        "pays_too_much",
        "userOperations",
        `${to} gets ${limitedAmount} base units of ${token}; at most ${maxAmount} are allowed.`
      )
    }
  }
}

const checkAllowances = ({ gas, ledger, paymasters, terms }: OutcomeCheck, report: Report): void => {
  for (const [key, amount] of ledger.allowances) {
    const [token, spender] = key.split(" ") as [Bytes, Bytes]
    const isForGas = paymasters.has(spender) && token === terms.gasToken && token !== NATIVE
    if (amount > (isForGas ? STANDING_FEES * gas.token : 0n)) {
      report(
        "allowance_remains",
        "userOperations",
        `${spender} still has an allowance of ${amount} base units of ${token} after the operation.`
      )
    }
  }
  for (const key of ledger.leftovers()) {
    const [router, token] = key.split(" ")
    report(
      "left_in_router",
      "userOperations",
      `Some ${token} may remain in the router ${router}, where anyone can take it.`
    )
  }
}

/** Checks that the calls spend, pay and approve what was requested, even in the worst case. */
export const checkOutcome = (check: OutcomeCheck, report: Report): void => {
  const { collectors, gas, terms } = check
  const gasElement = gasElementOf(terms)
  const demands = [
    ...terms.elements.flatMap((element) => demandsOf(element, collectors, element === gasElement ? gas.token : 0n)),
    ...payoutDemands(terms, collectors)
  ]
  checkSpending(check, demands, report)
  checkPayments(check, demands, report)
  checkAllowances(check, report)
}
