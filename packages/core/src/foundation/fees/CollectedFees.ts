import { Option, Schema } from "effect"
import { Address, percentText, ratioFromPercent, shareRoundingDown, type WalletAddress } from "../primitives/index.ts"
import type { Token } from "../tokens/index.ts"
import type { Fee } from "./Fee.ts"
import type { FeeRequest } from "./FeeRequest.ts"

/**
 * Recipients of `transactionFeePercent`. The operator receives its share, and the project's treasury receives the rest.
 */
export const FeeCollectors = Schema.Struct({
  treasury: Schema.NullOr(Address),
  operatorTreasury: Schema.NullOr(Address),
  operatorSharePercent: Schema.Finite
})
export type FeeCollectors = typeof FeeCollectors.Type

/**
 * An amount, split into fees and a net amount, in base units. `gasFee`, `transactionFee`, `extraFee` and `net` sum to
 * the amount.
 */
export const CollectedFees = Schema.Struct({
  gasFee: Schema.BigInt,
  transactionFee: Schema.BigInt,
  extraFee: Schema.BigInt,
  /** Amount after the fees, which is swapped, sent or supplied. */
  net: Schema.BigInt,
  /** The two parts of `transactionFee`. */
  treasuryFee: Schema.BigInt,
  operatorFee: Schema.BigInt
})
export type CollectedFees = typeof CollectedFees.Type

/** The requested fees, independent of recipient and chain. */
interface RequestedFees {
  readonly transactionFeePercent: number
  readonly extraFee?: { readonly percentage: number }
}

interface Collectors {
  readonly treasury: WalletAddress | null
  readonly operatorTreasury: WalletAddress | null
  readonly operatorSharePercent: number
}

/**
 * Splits an amount into fees and a net amount. Subtracts the gas fee (zero if gas is paid on top), then
 * `transactionFeePercent`, then `extraFee`. Each percentage applies to the full amount, and is rounded down, so that no
 * fee exceeds the agreed one. The operator's share is rounded down in favour of the project. `None` if nothing remains.
 */
export const collectFees = (
  amount: bigint,
  gasFee: bigint,
  { extraFee: extra, transactionFeePercent }: RequestedFees,
  { operatorSharePercent, operatorTreasury, treasury }: Collectors
): Option.Option<CollectedFees> => {
  const percentOf = (total: bigint, percent: number) => shareRoundingDown(total, ratioFromPercent(percent))
  // Without a treasury, the transaction fee has no recipient.
  const transactionFee = treasury === null ? 0n : percentOf(amount, transactionFeePercent)
  const extraFee = percentOf(amount, extra?.percentage ?? 0)
  const net = amount - gasFee - transactionFee - extraFee
  const operatorFee = operatorTreasury === null ? 0n : percentOf(transactionFee, operatorSharePercent)
  const treasuryFee = transactionFee - operatorFee
  return net > 0n ? Option.some({ gasFee, transactionFee, extraFee, net, treasuryFee, operatorFee }) : Option.none()
}

export interface FeePayment {
  readonly recipient: Address
  /** Amount in base units, above zero. */
  readonly amount: bigint
}

/** Returns the fee payments. Omits zero fees and fees without a recipient. */
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

/**
 * Returns the collected fees for display. SERVICE is the transaction fee, including the operator's share. EXTRA is the
 * caller's additional fee.
 */
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
          percentage: percentText(request.transactionFeePercent)
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
          percentage: percentText(request.extraFee.percentage)
        }
      ])
]

/** A token amount, split into fees and a net amount, with the fee payments and the fees for display. */
export interface FeeDeduction {
  readonly split: CollectedFees
  readonly payments: ReadonlyArray<FeePayment>
  readonly fees: ReadonlyArray<Fee>
}

/** Splits a token amount into fees and a net amount. `None` if nothing remains. */
export const deductFees = (
  token: Token,
  amount: bigint,
  gasFee: bigint,
  request: FeeRequest,
  collectors: FeeCollectors
): Option.Option<FeeDeduction> =>
  Option.map(collectFees(amount, gasFee, request, collectors), (split) => ({
    split,
    payments: feePayments(split, request, collectors),
    fees: listedFees(token, split, request, collectors)
  }))
