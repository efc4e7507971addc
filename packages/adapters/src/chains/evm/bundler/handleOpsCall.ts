import type { Address } from "@countersign/core/foundation/primitives"
import type { GasFees } from "@countersign/core/operations/operator"
import type { Hex } from "viem"
import { bundleGas } from "./bundleGas.ts"
import type { Submission } from "./Submission.ts"
import { handleOpsData } from "./simulation/gasLimits.ts"

/** The `handleOps` call of a bundle, used for tracing and sending. */
export interface HandleOpsCall extends GasFees {
  readonly to: Hex
  readonly data: Hex
  readonly gas: bigint
}

const ascending = (values: ReadonlyArray<bigint>): ReadonlyArray<bigint> =>
  values.toSorted((a, b) => (a < b ? -1 : Number(a > b)))

/**
 * Builds the call. Its priority fee is the lowest priority fee of the operations, because an operation does not
 * reimburse more than its own priority fee.
 */
export const handleOpsCall = (bundle: ReadonlyArray<Submission>, beneficiary: Address): HandleOpsCall => {
  const operations = bundle.map(({ operation }) => operation)
  const maxFeePerGas = ascending(operations.map((operation) => operation.maxFeePerGas)).at(-1)!
  const tips = operations.map((operation) => operation.maxPriorityFeePerGas)
  return {
    to: operations[0]!.entryPoint,
    data: handleOpsData(bundle, beneficiary),
    gas: bundleGas(operations),
    maxFeePerGas,
    maxPriorityFeePerGas: ascending([maxFeePerGas, ...tips])[0]!
  }
}
