import type { FeeRequest } from "../../foundation/fees/index.ts"
import { isEvmAddress } from "../../foundation/primitives/index.ts"
import type { SwapRequest } from "./SwapRequest.ts"

/** Returns the fees of a request that are paid on an EVM chain. */
export const evmFeesOf = ({ extraFee, transactionFeePercent }: SwapRequest): FeeRequest => {
  const toAddress = extraFee?.toAddress
  return extraFee === undefined || toAddress === undefined || !isEvmAddress(toAddress)
    ? { transactionFeePercent }
    : { transactionFeePercent, extraFee: { percentage: extraFee.percentage, toAddress } }
}
