import { Option } from "effect"
import { ratioFromPercent, shareRoundingDown } from "../primitives/index.ts"

export interface FeeTerms {
  /** What the gas fee takes out of the amount, in its base units; zero where gas is paid on top of it. */
  readonly gasFee: bigint
  readonly transactionFeePercent: number
  readonly extraFeePercent: number
}

/** How an amount is divided, in base units. The parts add up to the amount. */
export interface FeeSplit {
  readonly gasFee: bigint
  readonly transactionFee: bigint
  readonly extraFee: bigint
  /** What remains to be swapped, sent or supplied. */
  readonly net: bigint
}

/**
 * Takes the gas fee, then transactionFeePercent, then extraFee; each percentage is of the whole amount, before the
 * others. Percentages are rounded down, so that nobody collects more than was agreed. None when nothing would remain.
 */
export const feeSplit = (amount: bigint, terms: FeeTerms): Option.Option<FeeSplit> => {
  const transactionFee = shareRoundingDown(amount, ratioFromPercent(terms.transactionFeePercent))
  const extraFee = shareRoundingDown(amount, ratioFromPercent(terms.extraFeePercent))
  const net = amount - terms.gasFee - transactionFee - extraFee
  return net > 0n ? Option.some({ gasFee: terms.gasFee, transactionFee, extraFee, net }) : Option.none()
}
