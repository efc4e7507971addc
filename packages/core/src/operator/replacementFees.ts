import { greater } from "../primitives/index.ts"
import type { GasFees } from "./OperatorTransaction.ts"

/** Offers beyond this many times what the chain asks for do not help: something else holds the transaction up. */
const CEILING = 10n

/** An eighth more, rounded up, and at least one wei. Nodes want a tenth more on both fees, and both to be higher. */
const raised = (fee: bigint): bigint => fee + greater(1n, (fee + 7n) / 8n)

/**
 * What to offer in the place of an offer that nodes know: both fees an eighth higher, and not below what the chain asks
 * for now. Null where the offer is far above that already.
 */
export const replacementFees = (offer: GasFees, suggested: GasFees): GasFees | null => {
  if (offer.maxFeePerGas > CEILING * suggested.maxFeePerGas) return null
  const maxPriorityFeePerGas = greater(raised(offer.maxPriorityFeePerGas), suggested.maxPriorityFeePerGas)
  const maxFeePerGas = greater(raised(offer.maxFeePerGas), suggested.maxFeePerGas)
  return { maxFeePerGas: greater(maxFeePerGas, maxPriorityFeePerGas), maxPriorityFeePerGas }
}
