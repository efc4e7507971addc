import { Result, Schema } from "effect"
import type { FeeRate } from "../bitcoin/index.ts"
import { BadRequest } from "../errors/index.ts"

/** How soon a payment should be in a block. */
export const FeePriority = Schema.Literals(["SLOW", "NORMAL", "FAST"])
export type FeePriority = typeof FeePriority.Type

/** Within how many blocks. */
export const BLOCKS_WITHIN: Readonly<Record<FeePriority, number>> = { SLOW: 144, NORMAL: 6, FAST: 2 }

/** Satoshis for 1,000 virtual bytes. Nodes relay nothing below the first; above the second it is a mistake. */
export const LOWEST_RATE: FeeRate = 1_000n
export const HIGHEST_RATE: FeeRate = 1_000_000n
/** The rate at which a coin that is left will be spent some day, where no estimate for long is lower. */
const LONG_TERM_RATE: FeeRate = 10_000n

const bounded = (rate: FeeRate): FeeRate =>
  rate < LOWEST_RATE ? LOWEST_RATE : rate > HIGHEST_RATE ? HIGHEST_RATE : rate

/** The rate of the most blocks that are soon enough, else of the fewest; null where no rate is known. */
export const rateWithin = (rates: ReadonlyMap<number, FeeRate>, blocks: number): FeeRate | null => {
  const known = [...rates].toSorted(([a], [b]) => a - b)
  const found = known.findLast(([within]) => within <= blocks) ?? known[0]
  return found === undefined ? null : bounded(found[1])
}

export const longTermRate = (rates: ReadonlyMap<number, FeeRate>): FeeRate => {
  const slowest = rateWithin(rates, Number.MAX_SAFE_INTEGER)
  return slowest !== null && slowest < LONG_TERM_RATE ? slowest : LONG_TERM_RATE
}

/** A rate in satoshis for a virtual byte, as somebody asks for it: three decimals count. */
export const resolvedFeeRate = (path: string, satPerVByte: number): Result.Result<FeeRate, BadRequest> => {
  const rate = Number.isFinite(satPerVByte) ? BigInt(Math.round(satPerVByte * 1_000)) : 0n
  return rate >= LOWEST_RATE && rate <= HIGHEST_RATE
    ? Result.succeed(rate)
    : Result.fail(
        BadRequest.of(
          path,
          "fee_rate_out_of_bounds",
          `Expected a fee rate from ${LOWEST_RATE / 1_000n} to ${HIGHEST_RATE / 1_000n} sat/vB; ${satPerVByte} is not.`
        )
      )
}

/** In satoshis for a virtual byte. */
export const rateText = (rate: FeeRate): number => Number(rate) / 1_000
