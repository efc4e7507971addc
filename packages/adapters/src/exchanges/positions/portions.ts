import { type Address, type Ratio, shareRoundingDown } from "@countersign/core/foundation/primitives"
import type { OutputFee, TokenAmounts } from "@countersign/core/trading/liquidity"
import { type Command, payAmount, payPortion } from "../uniswap/index.ts"

/** A fee that the router pays from its balance: as a share in basis points, or as a fixed amount. */
type Portion =
  | { readonly recipient: Address; readonly bips: bigint }
  | { readonly recipient: Address; readonly amount: bigint }

const BIPS = 10_000n

/** The fees in one token, and the amount that each takes from the expected output. */
export interface DeductedPortions {
  readonly portions: ReadonlyArray<Portion>
  readonly payments: ReadonlyArray<bigint>
  /** Amount that remains after the fees. */
  readonly remainder: bigint
}

const portionAmountOf = (portion: Portion, remainder: bigint): bigint =>
  "bips" in portion ? (remainder * portion.bips) / BIPS : portion.amount

/**
 * Deducts the fees from the output one after another. The router pays basis points of its remaining balance, so the
 * basis points of a later fee are higher than its share of the total output. A fee is a fixed amount if its basis
 * points would pay less than its share of the minimum output, or if `isFixed` returns true for its index. Both are rounded
 * down.
 */
export const deductPortions = (
  fees: ReadonlyArray<OutputFee>,
  amount: bigint,
  minAmount: bigint,
  isFixed: (feeIndex: number) => boolean = () => false
): DeductedPortions => {
  const portions: Array<Portion> = []
  const payments: Array<bigint> = []
  let remainder = amount
  let remainingShare: Ratio = { numerator: 1n, denominator: 1n }
  for (const [i, { recipient, share }] of fees.entries()) {
    const bips = (share.numerator * BIPS * remainingShare.denominator) / (share.denominator * remainingShare.numerator)
    const fixedAmount = shareRoundingDown(minAmount, share)
    const isByShare = !isFixed(i) && (remainder * bips) / BIPS >= fixedAmount
    const portion: Portion = isByShare ? { recipient, bips } : { recipient, amount: fixedAmount }
    if (isByShare) {
      remainingShare = {
        numerator: remainingShare.numerator * (BIPS - bips),
        denominator: remainingShare.denominator * BIPS
      }
    }
    const portionAmount = portionAmountOf(portion, remainder)
    portions.push(portion)
    payments.push(portionAmount)
    remainder -= portionAmount
  }
  return { portions, payments, remainder }
}

/**
 * Deducts the same fees from the outputs in both tokens of a pool. A fee that is a fixed amount in one token is one in
 * the other token too: if a part of one output is swapped for the other token, the same fees were paid from both.
 */
export const deductPortionsOfBoth = (
  fees: ReadonlyArray<OutputFee>,
  amounts: TokenAmounts,
  minAmounts: TokenAmounts
): readonly [DeductedPortions, DeductedPortions] => {
  const fixedFees = new Set<number>()
  for (;;) {
    const isFixed = (feeIndex: number) => fixedFees.has(feeIndex)
    const portions0 = deductPortions(fees, amounts.amount0, minAmounts.amount0, isFixed)
    const portions1 = deductPortions(fees, amounts.amount1, minAmounts.amount1, isFixed)
    const differingFee = fees.findIndex((_, i) => "bips" in portions0.portions[i]! !== "bips" in portions1.portions[i]!)
    if (differingFee === -1) return [portions0, portions1]
    fixedFees.add(differingFee)
  }
}

/** Returns what remains of another amount after the same fees. */
export const remainderAfter = (portions: ReadonlyArray<Portion>, amount: bigint): bigint =>
  portions.reduce((remainder, portion) => remainder - portionAmountOf(portion, remainder), amount)

export const portionCommands = (token: Address, portions: ReadonlyArray<Portion>): ReadonlyArray<Command> =>
  portions.flatMap((portion) =>
    "bips" in portion
      ? portion.bips === 0n
        ? []
        : [payPortion(token, portion.recipient, portion.bips)]
      : portion.amount === 0n
        ? []
        : [payAmount(token, portion.recipient, portion.amount)]
  )

/** Returns the fees that are fixed amounts above zero. */
export const amountsOf = (portions: ReadonlyArray<Portion>) =>
  portions.flatMap((portion) => ("amount" in portion && portion.amount > 0n ? [portion] : []))
