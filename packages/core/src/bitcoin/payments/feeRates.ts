import { Result, Schema } from "effect"
import { BadRequest } from "../../foundation/errors/index.ts"
import { maxBigInt, minBigInt } from "../../foundation/primitives/index.ts"
import type { FeeRate } from "../chain/index.ts"

/** How soon a payment should be confirmed. */
export const FeePriority = Schema.Literals(["SLOW", "NORMAL", "FAST"])
export type FeePriority = typeof FeePriority.Type

/** Target number of blocks until the confirmation. */
export const CONFIRMATION_TARGETS: Readonly<Record<FeePriority, number>> = { SLOW: 144, NORMAL: 6, FAST: 2 }

/**
 * Minimum and maximum rate in satoshis per 1,000 virtual bytes. The service never uses a lower rate, even if nodes
 * relay it. It rejects a requested rate above the maximum as a mistake.
 */
export const LOWEST_RATE: FeeRate = 100n
export const HIGHEST_RATE: FeeRate = 1_000_000n
/** The expected rate for spending the change later. A lower estimate of the long-term rate takes precedence. */
const LONG_TERM_RATE: FeeRate = 10_000n

/**
 * Returns the rate for the largest number of blocks within the target. If there is none, the rate for the smallest
 * number. The result is at least `minRate`, the minimum relay rate, and at most `HIGHEST_RATE`. Null if no rate is
 * known.
 */
export const rateWithin = (rates: ReadonlyMap<number, FeeRate>, blocks: number, minRate: FeeRate): FeeRate | null => {
  const sortedRates = [...rates].toSorted(([a], [b]) => a - b)
  const matchingRate = sortedRates.findLast(([within]) => within <= blocks) ?? sortedRates[0]
  return matchingRate === undefined ? null : minBigInt(maxBigInt(matchingRate[1], minRate), HIGHEST_RATE)
}

export const longTermRate = (rates: ReadonlyMap<number, FeeRate>, minRate: FeeRate): FeeRate => {
  const slowestRate = rateWithin(rates, Number.MAX_SAFE_INTEGER, minRate)
  return slowestRate !== null && slowestRate < LONG_TERM_RATE ? slowestRate : LONG_TERM_RATE
}

/** Converts a requested rate from sat/vB to `FeeRate`, rounded to three decimals. Fails if it is outside the bounds. */
export const resolveFeeRate = (
  path: string,
  satPerVByte: number,
  minRate: FeeRate
): Result.Result<FeeRate, BadRequest> => {
  const rate = Number.isFinite(satPerVByte) ? BigInt(Math.round(satPerVByte * 1_000)) : 0n
  return rate >= minRate && rate <= HIGHEST_RATE
    ? Result.succeed(rate)
    : Result.fail(
        BadRequest.of(
          path,
          "fee_rate_out_of_bounds",
          `Expected a fee rate from ${toSatPerVByte(minRate)}, the lowest that the Bitcoin nodes relay now, to ${toSatPerVByte(HIGHEST_RATE)} sat/vB. The requested rate is ${satPerVByte} sat/vB.`
        )
      )
}

/** Converts a rate to sat/vB. */
export const toSatPerVByte = (rate: FeeRate): number => Number(rate) / 1_000
