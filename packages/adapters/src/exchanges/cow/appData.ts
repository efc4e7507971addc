import type { FeeShare } from "@countersign/core/foundation/fees"
import type { Hash32, HexBytes, Ratio } from "@countersign/core/foundation/primitives"
import { keccak256, stringToHex } from "viem"
import { hash32FromHex } from "../../chains/evm/index.ts"

/** The version of CoW's app data schema. */
const VERSION = "1.15.0"
const BPS = 10_000n
/** Maximum sum of partner fees in basis points. The order book silently reduces a higher sum. */
export const MAX_PARTNER_BPS = 100n

/** Converts a fraction to basis points; null if the result is not an integer. */
export const wholeBpsOrNull = ({ denominator, numerator }: Ratio): bigint | null =>
  (numerator * BPS) % denominator === 0n ? (numerator * BPS) / denominator : null

/** Serializes JSON with sorted keys, so that equal data have the same hash. */
const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(",")}}`
}

/**
 * Serializes the app data of an order: its creator and its partner fees. `salt` distinguishes orders that are otherwise
 * equal. The project's metadata are not included, because app data are public.
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
            partnerFee: feeShares.map(({ recipient, share }) => ({
              recipient,
              volumeBps: Number(wholeBpsOrNull(share))
            }))
          })
    },
    version: VERSION
  })

export const appDataHash = (text: string): Hash32 => hash32FromHex(keccak256(stringToHex(text)))
