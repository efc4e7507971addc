import { Hash32 } from "@countersign/core/foundation/primitives"
import type { GasLimits } from "@countersign/core/operations/user-operations"
import { Schema } from "effect"

/** Accepts a hexadecimal quantity: gas or a gas price. */
const isQuantity = Schema.isPattern(/^0x0*[0-9a-f]{1,16}$/iu, { message: "Expected a quantity of at most 64 bits" })
const Quantity = Schema.String.check(isQuantity)

const GasEstimate = Schema.Struct({
  preVerificationGas: Quantity,
  verificationGasLimit: Quantity,
  callGasLimit: Quantity,
  paymasterVerificationGasLimit: Schema.optional(Schema.NullOr(Quantity)),
  paymasterPostOpGasLimit: Schema.optional(Schema.NullOr(Quantity))
})

const decodeGasEstimate = Schema.decodeUnknownSync(GasEstimate)

/** Decodes the result of `eth_estimateUserOperationGas`. */
export const gasLimitsInResponse = (response: unknown): GasLimits => {
  const estimate = decodeGasEstimate(response)
  return {
    preVerificationGas: BigInt(estimate.preVerificationGas),
    verificationGasLimit: BigInt(estimate.verificationGasLimit),
    callGasLimit: BigInt(estimate.callGasLimit),
    paymasterVerificationGasLimit: BigInt(estimate.paymasterVerificationGasLimit ?? 0),
    paymasterPostOpGasLimit: BigInt(estimate.paymasterPostOpGasLimit ?? 0)
  }
}

const Receipt = Schema.NullOr(Schema.Struct({ receipt: Schema.Struct({ transactionHash: Schema.String }) }))

const decodeReceipt = Schema.decodeUnknownSync(Receipt)

/** Returns the transaction hash in a result of `eth_getUserOperationReceipt`; null if there is none. */
export const transactionInResponse = (response: unknown): Hash32 | null => {
  const decodedReceipt = decodeReceipt(response)
  return decodedReceipt === null ? null : Hash32.make(decodedReceipt.receipt.transactionHash.toLowerCase())
}

const Prices = Schema.Struct({
  standard: Schema.Struct({ maxFeePerGas: Quantity, maxPriorityFeePerGas: Quantity })
})

const decodePrices = Schema.decodeUnknownSync(Prices)

/** Decodes the result of `pimlico_getUserOperationGasPrice`: the bundler's minimum price. */
export const gasPricesInResponse = (
  response: unknown
): { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint } => {
  const { standard } = decodePrices(response)
  return {
    maxFeePerGas: BigInt(standard.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(standard.maxPriorityFeePerGas)
  }
}
