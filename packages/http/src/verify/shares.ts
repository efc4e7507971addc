import { percentRoundingDown } from "./amounts.ts"
import { type Bytes, largest, Unreadable } from "./bytes.ts"
import type { Ledger, PaidShare } from "./ledger.ts"
import type { LiquidityTerms } from "./requestTerms.ts"
import type { Report } from "./shapes.ts"

/** Checks the fees on the output of a position. They are fractions of amounts that are unknown before execution. */

const BIPS = 10_000n
/** An amount whose fractions have a negligible rounding error. */
const SCALE = 10n ** 18n

/** Receivers of a fee, with the percentages that they get together. */
interface FeeReceivers {
  readonly to: ReadonlyArray<Bytes>
  readonly percents: ReadonlyArray<number>
  /** Whether only the minimum is checked. The maximum is then checked for all collectors together. */
  readonly hasMinimumOnly: boolean
}

/**
 * Returns the fee receivers with their percentages: all collectors together, and the caller's partner. A partner that is
 * also a collector gets its own fee in any case, and may get the service fee too.
 */
export const feeReceiversOf = (
  { extra, service }: LiquidityTerms["shares"],
  collectors: ReadonlyArray<Bytes>
): ReadonlyArray<FeeReceivers> => {
  const isCollector = extra !== null && service > 0 && collectors.includes(extra.to)
  return [
    ...(service > 0 && collectors.length > 0
      ? [{ to: collectors, percents: isCollector ? [service, extra.percent] : [service], hasMinimumOnly: false }]
      : []),
    ...(extra === null || extra.percent === 0
      ? []
      : [{ to: [extra.to], percents: [extra.percent], hasMinimumOnly: isCollector }])
  ]
}

/** Computes the amount before the fee payments from the remainder. Rounded up, because each payment is rounded down. */
const amountBeforeFees = (cuts: ReadonlyArray<PaidShare>, remainder: bigint): bigint =>
  cuts.reduceRight((rest, { amount, bips }) => {
    if (bips >= BIPS) throw new Unreadable("a router pays its complete balance as a fee")
    return amount > 0n ? rest + amount : (rest * BIPS + BIPS - bips - 1n) / (BIPS - bips)
  }, remainder)

interface GrossAmount {
  readonly token: Bytes
  /** Bounds of the amount before fees, in base units. */
  readonly maxAmount: bigint
  readonly minAmount: bigint
  /** The part of the amount that the calls enforce. The quote states the rest, but no call enforces it. */
  readonly enforcedAmount: bigint
}

const paidTo = ({ paid }: Ledger, to: Bytes, token: Bytes): bigint => paid.get(`${to} ${token}`) ?? 0n

/** Returns the certain net increase of a token in the wallet. */
const netOf = (ledger: Ledger, token: Bytes): bigint => (ledger.in.get(token) ?? 0n) - (ledger.out.get(token) ?? 0n)

const sumOf = (amounts: ReadonlyArray<bigint>): bigint => amounts.reduce((sum, amount) => sum + amount, 0n)

/** Computes the payments that are fractions, if the amount before all fee payments is `grossAmount`. */
const portionsOn = (grossAmount: bigint, cuts: ReadonlyArray<Pick<PaidShare, "to" | "bips" | "amount">>) => {
  let remainder = grossAmount
  return cuts.flatMap(({ amount, bips, to }) => {
    const paidAmount = amount > 0n ? amount : (remainder * bips) / BIPS
    remainder = largest(remainder - paidAmount, 0n)
    return bips === 0n ? [] : [{ to, amount: paidAmount }]
  })
}

/** Parses the fractions that were paid from a balance, in order. */
const paidFractions = (text: string): ReadonlyArray<Pick<PaidShare, "to" | "bips" | "amount">> =>
  [...text.matchAll(/(\S+) (\d+)/gu)].map(([, to, bips]) => ({ to: to as Bytes, bips: BigInt(bips!), amount: 0n }))

/** Returns the certain output of a withdrawal before fees. */
const payoutBase = (
  ledger: Ledger,
  { to, token }: NonNullable<LiquidityTerms["payout"]>,
  feeReceivers: ReturnType<typeof feeReceiversOf>
): GrossAmount => {
  const tokenShares = ledger.cuts.filter((cut) => cut.token === token)
  const sharePaidTo = (receiver: Bytes): bigint =>
    sumOf(tokenShares.flatMap((cut) => (cut.to === receiver ? [cut.amount] : [])))
  const otherParties = new Set(feeReceivers.flatMap((party) => party.to))
  for (const each of [to, ledger.wallet]) otherParties.delete(each)
  const otherPayments = sumOf(
    [...otherParties].map((receiver) => paidTo(ledger, receiver, token) - sharePaidTo(receiver))
  )
  const receivedAmount = to === ledger.wallet ? netOf(ledger, token) : paidTo(ledger, to, token)
  const grossAmount = amountBeforeFees(tokenShares, receivedAmount - sharePaidTo(to) + otherPayments)
  return { token, maxAmount: grossAmount, minAmount: grossAmount, enforcedAmount: grossAmount }
}

const grossAmountsOf = (
  ledger: Ledger,
  { open, payout, taking }: LiquidityTerms,
  feeReceivers: ReturnType<typeof feeReceiversOf>
): ReadonlyArray<GrossAmount> => {
  if (payout !== null) return [payoutBase(ledger, payout, feeReceivers)]
  if (open === null || taking === null) return []
  const decrease = ledger.positionActs.find((act) => act.does === "DECREASE")
  const minAmounts = decrease?.does === "DECREASE" ? decrease.minAmounts : [0n, 0n]
  return open.tokens.map((token, i) => ({
    token,
    maxAmount: open.promised[i]!,
    minAmount: open.promised[i]! - taking.shown.removed[i]! + minAmounts[i]!,
    enforcedAmount: minAmounts[i]!
  }))
}

/**
 * Checks that each fee receiver gets its percentage of the output, as a fraction or as an amount. Skips the wallet and
 * the receiver of the payout. If one of them is a collector, checks only the maximum of the other collectors.
 */
export const checkOutputFees = (
  ledger: Ledger,
  terms: LiquidityTerms,
  collectors: ReadonlyArray<Bytes>,
  report: Report
): void => {
  const feeReceivers = feeReceiversOf(terms.shares, collectors)
  const allReceivers = new Set(feeReceivers.flatMap(({ to }) => to))
  // A fraction to the wallet would conceal how large the following fractions are.
  for (const { bips, to, token } of ledger.cuts) {
    if (bips > 0n && !allReceivers.has(to))
      report("pays_somebody_else", "userOperations", `${to} gets a fraction of ${token}, but is no fee receiver.`)
  }
  for (const { enforcedAmount, minAmount, maxAmount, token } of grossAmountsOf(ledger, terms, feeReceivers)) {
    const tokenShares = ledger.cuts.filter((cut) => cut.token === token)
    const fractionalShares = tokenShares.filter(({ bips }) => bips > 0n)
    const tokenPortions = portionsOn(maxAmount, tokenShares)
    const minTokenPortions = portionsOn(enforcedAmount, tokenShares)
    for (const { hasMinimumOnly, percents, to } of feeReceivers) {
      const receivers = to.filter((each) => each !== ledger.wallet && each !== terms.payout?.to)
      if (receivers.length === 0) continue
      const sumOfPortions = (portions: typeof tokenPortions, of: ReadonlyArray<Bytes> = receivers) =>
        sumOf(portions.flatMap((each) => (of.includes(each.to) ? [each.amount] : [])))
      const fixedAmount = sumOf(receivers.map((receiver) => paidTo(ledger, receiver, token)))
      const total = fixedAmount + sumOfPortions(tokenPortions)
      const minTotal = fixedAmount + sumOfPortions(minTokenPortions)
      const receiverShares = fractionalShares.filter((share) => receivers.includes(share.to))
      const portionCount = BigInt(receiverShares.length)
      const rounding = 2n + portionCount
      const shareOf = (amount: bigint) => sumOf(percents.map((percent) => percentRoundingDown(amount, percent)))
      const percentText = `${percents.join(" + ")} %`
      // The position may have more of the token than the quote states, so the fractions are also limited: all fractions
      // of the token, and for each of them the fractions that were paid earlier from the same funds in another token.
      const fractionSums = [
        fractionalShares,
        ...receiverShares.map((share) => [...paidFractions(share.paidBefore), share])
      ].map((cuts) => sumOfPortions(portionsOn(SCALE, cuts), to))
      const getsTooMuch =
        fractionSums.some((sum) => sum > shareOf(SCALE) + rounding) || total > shareOf(maxAmount) + rounding
      if (!hasMinimumOnly && getsTooMuch) {
        report(
          "pays_too_much",
          "userOperations",
          `${receivers.join(" and ")} get more than ${percentText} of ${token}.`
        )
      } else if (receivers.length < to.length) continue
      else if (total < shareOf(minAmount) - (maxAmount * portionCount) / BIPS - rounding) {
        report("gives_too_little", "userOperations", `${to.join(" and ")} get less than ${percentText} of ${token}.`)
      } else if (!hasMinimumOnly && minTotal > shareOf(enforcedAmount) + rounding) {
        ledger.unknown.add(
          `${to.join(" and ")} get at least ${minTotal} base units of ${token}. This is at most ${percentText} only if the position owes the collected amount that the quote states.`
        )
      }
    }
  }
}
