import { type Address, type Ratio, shareRoundingDown } from "@countersign/core/foundation/primitives"
import type { ShareOfOutput } from "@countersign/core/trading/liquidity"
import { type Command, payAmount, payPortion } from "../uniswap/index.ts"

/** How a fee is taken from the router's balance: as hundredths of a percent, or as an amount. */
type Portion =
  | { readonly recipient: Address; readonly bips: bigint }
  | { readonly recipient: Address; readonly amount: bigint }

const BIPS = 10_000n

/** The fees of one token, with the part of the expected amount that each takes. */
export interface TakenPortions {
  readonly portions: ReadonlyArray<Portion>
  readonly payments: ReadonlyArray<bigint>
  /** The remaining amount. */
  readonly rest: bigint
}

const takenOf = (portion: Portion, rest: bigint): bigint =>
  "bips" in portion ? (rest * portion.bips) / BIPS : portion.amount

/**
 * Divides the output among the fees, one after another, so that no fee takes more than its share of the whole. The
 * router supports hundredths of a percent of its current balance. A fixed amount is used instead if that is less than
 * the share of the minimum output, or if no router supports it. Rounded down in both cases.
 */
export const takePortions = (
  fees: ReadonlyArray<ShareOfOutput>,
  amount: bigint,
  minAmount: bigint,
  knowsPortions = true
): TakenPortions => {
  const portions: Array<Portion> = []
  const payments: Array<bigint> = []
  let remainder = amount
  let restShare: Ratio = { numerator: 1n, denominator: 1n }
  for (const { recipient, share } of fees) {
    const bips = (share.numerator * BIPS * restShare.denominator) / (share.denominator * restShare.numerator)
    const fixed = shareRoundingDown(minAmount, share)
    const isByShare = knowsPortions && (remainder * bips) / BIPS >= fixed
    const portion: Portion = isByShare ? { recipient, bips } : { recipient, amount: fixed }
    if (isByShare) {
      restShare = { numerator: restShare.numerator * (BIPS - bips), denominator: restShare.denominator * BIPS }
    }
    const portionAmount = takenOf(portion, remainder)
    portions.push(portion)
    payments.push(portionAmount)
    remainder -= portionAmount
  }
  return { portions, payments, rest: remainder }
}

/** The remainder of another amount after the same fees, rounded down. */
export const restAfter = (portions: ReadonlyArray<Portion>, amount: bigint): bigint =>
  portions.reduce((rest, portion) => rest - takenOf(portion, rest), amount)

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

/** The amount of each fee except zero ones, if all fees are fixed amounts. */
export const amountsOf = (portions: ReadonlyArray<Portion>) =>
  portions.flatMap((portion) => ("amount" in portion && portion.amount > 0n ? [portion] : []))
