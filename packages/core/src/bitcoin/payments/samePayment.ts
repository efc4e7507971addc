import type { BitcoinTerms } from "../../operations/intents/index.ts"
import type { BitcoinTransaction } from "../chain/index.ts"

/** The outputs to others than the wallet itself. */
const paidBy = ({ inputs, outputs }: Pick<BitcoinTerms, "inputs" | "outputs">) => {
  const own = new Set<string>(inputs.map(({ script }) => script))
  return outputs.filter(({ script }) => !own.has(script))
}

const textOf = ({ script, value }: BitcoinTerms["outputs"][number]) => `${script}:${value}`

/**
 * Whether a transaction does what a payment was to do: the same to the same others, by the same wallet, and nothing to anybody
 * else. False of one that only takes the coins.
 */
export const paysTheSame = (terms: BitcoinTerms, other: BitcoinTransaction): boolean => {
  const own = new Set<string>(terms.inputs.map(({ script }) => script))
  if (!other.inputs.every(({ script }) => own.has(script))) return false
  const expected = paidBy(terms).map(textOf).toSorted()
  const found = paidBy(other).map(textOf).toSorted()
  return expected.length > 0 && expected.join() === found.join()
}
