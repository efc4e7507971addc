import type { FeeShare } from "@countersign/core/foundation/fees"
import { type Hash32, type HexBytes, ratioFromPercent } from "@countersign/core/foundation/primitives"
import { keccak256, stringToHex } from "viem"
import { hash32FromHex } from "../../chains/evm/index.ts"

/** CoW's schema of app data that this is written by. */
const VERSION = "1.15.0"
const BPS = 10_000n
/** The book cuts the sum of partner fees to this without a word. */
export const MOST_PARTNER_BPS = 100

/** Hundredths of a percent; null where the percentage is no whole number of them. */
export const wholeBpsOrNull = (percent: number): number | null => {
  const { denominator, numerator } = ratioFromPercent(percent)
  return (numerator * BPS) % denominator === 0n ? Number((numerator * BPS) / denominator) : null
}

/** JSON whose keys are in the order of the alphabet, so that the same data always has the same hash. */
const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(",")}}`
}

/**
 * What an order tells its solvers: who made it, and who takes a part of it. `salt` makes two orders that are otherwise equal
 * two. A project's own metadata stays here: app data is public.
 */
export const appDataText = (feeShares: ReadonlyArray<FeeShare>, salt: HexBytes): string =>
  canonicalJson({
    appCode: "Countersign",
    environment: salt.slice(2),
    metadata: {
      orderClass: { orderClass: "limit" },
      ...(feeShares.length === 0
        ? {}
        : {
            partnerFee: feeShares.map(({ percent, recipient }) => ({ recipient, volumeBps: wholeBpsOrNull(percent) }))
          })
    },
    version: VERSION
  })

export const appDataHash = (text: string): Hash32 => hash32FromHex(keccak256(stringToHex(text)))
