import { Array, Option, Result } from "effect"
import { BadRequest, type RequestProblem } from "../../../foundation/errors/index.ts"
import type { GasFeePaymentMethod } from "../../../foundation/fees/index.ts"
import { baseUnitsOrNone, DecimalString } from "../../../foundation/primitives/index.ts"
import type { Token } from "../../../foundation/tokens/index.ts"

/** A validated value of a request, or all problems with it. */
export type ValidationResult<A> = Result.Result<A, BadRequest>

type Values<Parts> = { readonly [Name in keyof Parts]: Parts[Name] extends ValidationResult<infer A> ? A : never }

/**
 * Combines validated values into an object or tuple. If any is invalid, returns the problems of all values, in their
 * order.
 */
export const combineResults = <
  Parts extends Readonly<Record<string, ValidationResult<unknown>>> | ReadonlyArray<ValidationResult<unknown>>
>(
  parts: Parts
): ValidationResult<Values<Parts>> => {
  const problems = Object.values<ValidationResult<unknown>>(parts).flatMap((part) =>
    Result.isFailure(part) ? part.failure.problems : []
  )
  return Array.isArrayNonEmpty(problems)
    ? Result.fail(new BadRequest({ problems }))
    : (Result.all(parts as Iterable<ValidationResult<unknown>>) as ValidationResult<Values<Parts>>)
}

/** Returns a failure with all problems, or a success without a value. */
export const requireNoProblems = (problems: ReadonlyArray<RequestProblem | null>): ValidationResult<void> => {
  const foundProblems = problems.filter((problem) => problem !== null)
  return Array.isArrayNonEmpty(foundProblems)
    ? Result.fail(new BadRequest({ problems: foundProblems }))
    : Result.succeed(undefined)
}

/**
 * Converts an amount to base units. It must be above zero, have at most the token's number of decimals, and be at most
 * 2^256 - 1 base units.
 */
export const resolveAmount = (path: string, amount: DecimalString, token: Token): ValidationResult<bigint> => {
  const refuse = (code: string, message: string) => Result.fail(BadRequest.of(path, code, message))
  const units = baseUnitsOrNone(amount, token.decimals)
  if (Option.isSome(units)) {
    return units.value === 0n ? refuse("not_positive", "Expected an amount above zero.") : Result.succeed(units.value)
  }
  const [whole = ""] = amount.split(".")
  return Option.isNone(baseUnitsOrNone(DecimalString.make(whole), token.decimals))
    ? refuse("too_large", `${amount} ${token.symbol} is too large: a token holds at most 2^256 - 1 base units.`)
    : refuse("too_many_decimals", `${token.symbol} has ${token.decimals} decimals, and "${amount}" has more.`)
}

/**
 * Returns a problem if the gas fee is to be deducted from an amount that is not in the gas token. `fields` are the
 * request fields of the tokens.
 */
export const gasTokenProblem = (
  { gasFeePaymentMethod }: { readonly gasFeePaymentMethod: GasFeePaymentMethod },
  payGasFeeToken: Token,
  fields: Readonly<Record<string, Token>>
): RequestProblem | null =>
  gasFeePaymentMethod === "ADD_TO_AMOUNT" ||
  Object.values(fields).some(
    ({ address, chainId }) => address === payGasFeeToken.address && chainId === payGasFeeToken.chainId
  )
    ? null
    : {
        path: "gasFeePaymentMethod",
        code: "gas_token_is_not_swapped",
        message: `DEDUCT_FROM_AMOUNT deducts the gas fee from the amount, so payGasFeeToken must be ${Object.keys(fields).join(" or ")}. Use ADD_TO_AMOUNT to pay gas with another token.`
      }

export const feeProblem = ({
  extraFee,
  transactionFeePercent
}: {
  readonly transactionFeePercent: number
  readonly extraFee?: { readonly percentage: number }
}): RequestProblem | null =>
  transactionFeePercent + (extraFee?.percentage ?? 0) >= 100
    ? {
        path: "extraFee",
        code: "fees_take_all",
        message: "transactionFeePercent and extraFee together must be less than 100 % of the amount."
      }
    : null
