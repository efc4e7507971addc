import type { BitcoinTerms } from "../../operations/intents/index.ts"
import type { BitcoinTransaction } from "../chain/index.ts"

/** Returns the outputs to scripts of other parties. */
const externalOutputsOf = ({ inputs, outputs }: Pick<BitcoinTerms, "inputs" | "outputs">) => {
  const ownScripts = new Set<string>(inputs.map(({ script }) => script))
  return outputs.filter(({ script }) => !ownScripts.has(script))
}

const textOf = ({ script, value }: BitcoinTerms["outputs"][number]) => `${script}:${value}`

/**
 * Returns whether a transaction has the same effect as a payment: it spends from the same wallet, and has exactly the
 * same outputs to other parties. False for a transaction that only spends the same UTXOs.
 */
export const isSamePayment = (terms: BitcoinTerms, other: BitcoinTransaction): boolean => {
  const ownScripts = new Set<string>(terms.inputs.map(({ script }) => script))
  if (!other.inputs.every(({ script }) => ownScripts.has(script))) return false
  const expectedOutputs = externalOutputsOf(terms).map(textOf).toSorted()
  const otherOutputs = externalOutputsOf(other).map(textOf).toSorted()
  return expectedOutputs.length > 0 && expectedOutputs.join() === otherOutputs.join()
}
