import { Option, Schema } from "effect"
import { Address, ratioFromPercent, shareRoundingDown } from "../primitives/index.ts"
import type { Token } from "../tokens/index.ts"
import type { Fee } from "./Fee.ts"
import type { FeeRequest } from "./FeeRequest.ts"
import { feeSplit } from "./feeSplit.ts"

/** Who gets transactionFeePercent: the project's treasury, less the share of the service's operator. */
export const FeeCollectors = Schema.Struct({
  treasury: Schema.NullOr(Address),
  operatorTreasury: Schema.NullOr(Address),
  operatorSharePercent: Schema.Finite
})
export type FeeCollectors = typeof FeeCollectors.Type

/** How an amount is divided, in its base units. `gasFee`, `transactionFee`, `extraFee` and `net` add up to it. */
export const CollectedFees = Schema.Struct({
  gasFee: Schema.BigInt,
  transactionFee: Schema.BigInt,
  extraFee: Schema.BigInt,
  /** What remains to be swapped, sent or supplied. */
  net: Schema.BigInt,
  /** The two parts of `transactionFee`. */
  treasuryFee: Schema.BigInt,
  operatorFee: Schema.BigInt
})
export type CollectedFees = typeof CollectedFees.Type

/** Divides an amount; `gasFee` is what gas takes out of it, zero where gas is paid on top. None when nothing remains. */
export const collectFees = (
  amount: bigint,
  gasFee: bigint,
  request: FeeRequest,
  collectors: FeeCollectors
): Option.Option<CollectedFees> =>
  Option.map(
    feeSplit(amount, {
      gasFee,
      // Without a treasury there is no recipient for it.
      transactionFeePercent: collectors.treasury === null ? 0 : request.transactionFeePercent,
      extraFeePercent: request.extraFee?.percentage ?? 0
    }),
    (split) => {
      const operatorFee =
        collectors.operatorTreasury === null
          ? 0n
          : shareRoundingDown(split.transactionFee, ratioFromPercent(collectors.operatorSharePercent))
      return { ...split, operatorFee, treasuryFee: split.transactionFee - operatorFee }
    }
  )

export interface FeePayment {
  readonly recipient: Address
  /** Base units, more than zero. */
  readonly amount: bigint
}

/** The payments of the fees, without those of zero. */
export const feePayments = (
  fees: CollectedFees,
  request: FeeRequest,
  collectors: FeeCollectors
): ReadonlyArray<FeePayment> => {
  const payments: ReadonlyArray<readonly [Address | null | undefined, bigint]> = [
    [collectors.treasury, fees.treasuryFee],
    [collectors.operatorTreasury, fees.operatorFee],
    [request.extraFee?.toAddress, fees.extraFee]
  ]
  return payments.flatMap(([recipient, amount]) => (recipient == null || amount === 0n ? [] : [{ recipient, amount }]))
}

/** The collected fees as they are listed: SERVICE where the project collects one, EXTRA where the caller asks for one. */
export const listedFees = (
  { address: token, chainId }: Token,
  fees: CollectedFees,
  request: FeeRequest,
  collectors: FeeCollectors
): ReadonlyArray<Fee> => [
  ...(collectors.treasury === null || request.transactionFeePercent === 0
    ? []
    : [
        {
          type: "SERVICE" as const,
          chainId,
          token,
          amount: fees.transactionFee,
          toAddress: collectors.treasury,
          percentage: String(request.transactionFeePercent)
        }
      ]),
  ...(request.extraFee === undefined
    ? []
    : [
        {
          type: "EXTRA" as const,
          chainId,
          token,
          amount: fees.extraFee,
          toAddress: request.extraFee.toAddress,
          percentage: String(request.extraFee.percentage)
        }
      ])
]
