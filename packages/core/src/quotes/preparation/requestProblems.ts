import { Option } from "effect"
import type { RequestProblem } from "../../errors/index.ts"
import type { FeeRequest, GasFeePaymentMethod } from "../../fees/index.ts"
import { baseUnitsOrNone, DecimalString } from "../../primitives/index.ts"
import type { Token } from "../../tokens/index.ts"

const problem = (path: string, code: string, message: string): RequestProblem => ({ path, code, message })

/** What is wrong with an amount of a token: not above zero, more digits than the token has, more than it can hold. */
export const amountProblems = (path: string, amount: DecimalString, token: Token): ReadonlyArray<RequestProblem> => {
  const units = baseUnitsOrNone(amount, token.decimals)
  if (Option.isSome(units)) {
    return units.value === 0n ? [problem(path, "not_positive", "Expected an amount above zero.")] : []
  }
  const [whole = ""] = amount.split(".")
  const isTooLarge = Option.isNone(baseUnitsOrNone(DecimalString.make(whole), token.decimals))
  return isTooLarge
    ? [
        problem(
          path,
          "too_large",
          `${amount} ${token.symbol} is too large: a token holds at most 2^256 - 1 base units.`
        )
      ]
    : [problem(path, "too_many_decimals", `${token.symbol} has ${token.decimals} decimals; "${amount}" does not fit.`)]
}

/** A gas fee can be taken out of an amount only where the amount is in the token that pays. `fields` names those tokens. */
export const gasTokenProblems = (
  { gasFeePaymentMethod }: { readonly gasFeePaymentMethod: GasFeePaymentMethod },
  payGasFeeToken: Token,
  fields: Readonly<Record<string, Token>>
): ReadonlyArray<RequestProblem> =>
  gasFeePaymentMethod === "ADD_TO_AMOUNT" ||
  Object.values(fields).some(
    ({ address, chainId }) => address === payGasFeeToken.address && chainId === payGasFeeToken.chainId
  )
    ? []
    : [
        problem(
          "gasFeePaymentMethod",
          "gas_token_is_not_swapped",
          `DEDUCT_FROM_AMOUNT takes the gas fee out of the amount, so payGasFeeToken must be ${Object.keys(fields).join(" or ")}. Use ADD_TO_AMOUNT to pay gas with another token.`
        )
      ]

export const feeProblems = ({ extraFee, transactionFeePercent }: FeeRequest): ReadonlyArray<RequestProblem> =>
  transactionFeePercent + (extraFee?.percentage ?? 0) >= 100
    ? [problem("extraFee", "fees_take_all", "transactionFeePercent and extraFee together leave nothing of the amount.")]
    : []
