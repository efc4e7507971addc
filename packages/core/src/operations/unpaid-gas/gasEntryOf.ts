import type { DateTime } from "effect"
import {
  type DecimalString,
  decimalFromBaseUnits,
  mulDivRoundingDown,
  NATIVE_TOKEN
} from "../../foundation/primitives/index.ts"
import { pricesOf, type StoredPrices, tokenKey, type UsdPriceE18 } from "../../foundation/tokens/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { UserOperationIntent } from "../intents/index.ts"
import type { OperationOutcome } from "../user-operations/index.ts"
import type { UnpaidGasCause, UnpaidGasEntry } from "./UnpaidGasEntry.ts"

/** An operation and its quote. */
export interface QuotedOperation {
  readonly quote: { readonly projectId: ProjectId; readonly prices: typeof StoredPrices.Type }
  readonly intent: UserOperationIntent
}

/** An included operation. */
export interface SettledOperation extends QuotedOperation {
  readonly outcome: OperationOutcome
}

/**
 * A missing part of the payment is tolerated up to the cost divided by this number, because rates are rounded and gas
 * is estimated.
 */
const TOLERANCE_DIVISOR = 10n

/**
 * Returns the unpaid part of the operation's cost in wei. Zero or negative if the cost was paid, apart from a tolerated
 * part.
 */
const unpaidWei = ({
  intent: { gas },
  outcome: { actualGasCost, success, tokenPayment }
}: SettledOperation): bigint => {
  // If the calls succeed, the paymaster has charged its fee, so only the log of the payment is missing.
  if (gas.maxToken === 0n || (success && tokenPayment === null)) return 0n
  const units = tokenPayment !== null && tokenPayment.token === gas.token ? tokenPayment.amount : 0n
  // Uses the rate of the quote, because a price change is not unpaid gas.
  const costBeyond = (paidUnits: bigint) => actualGasCost - (paidUnits * gas.maxWei) / gas.maxToken
  // A paymaster rounds down, so up to one base unit may be missing. If gas is cheap, that can be the complete cost.
  return costBeyond(units + 1n) * TOLERANCE_DIVISOR <= actualGasCost ? 0n : costBeyond(units)
}

const USD_DECIMALS = 6

/** Returns the value of a native token amount in US dollars. Null if the price is unknown. */
const usdOf = (wei: bigint, priceE18: UsdPriceE18 | undefined): DecimalString | null =>
  priceE18 === undefined
    ? null
    : decimalFromBaseUnits(mulDivRoundingDown(wei, priceE18, 10n ** BigInt(36 - USD_DECIMALS)), USD_DECIMALS)

const gasEntryOfWei = (
  { intent, quote }: QuotedOperation,
  wei: bigint,
  cause: UnpaidGasCause,
  at: DateTime.Utc
): UnpaidGasEntry => {
  const { chainId } = intent.operation
  const nativeToken = { chainId, address: NATIVE_TOKEN }
  return {
    projectId: quote.projectId,
    walletAddress: intent.account.address,
    owner: intent.account.owner,
    chainId,
    wei,
    usd: usdOf(wei, pricesOf(quote.prices).get(tokenKey(nativeToken))),
    cause,
    at,
    userOperationHash: intent.hash
  }
}

/**
 * Returns the entry for the unpaid part of an operation's cost. Null if the unpaid part is tolerated or zero, or if the
 * operation has no paymaster.
 */
export const gasEntryOf = (settledOperation: SettledOperation, at: DateTime.Utc): UnpaidGasEntry | null => {
  if (settledOperation.intent.operation.paymaster === null) return null
  const wei = unpaidWei(settledOperation)
  return wei <= 0n ? null : gasEntryOfWei(settledOperation, wei, "UNPAID_OPERATION", at)
}

/** Returns the entry for the operator's cost in wei of transactions that reverted because of an operation. */
export const gasEntryOfReverted = (quotedOperation: QuotedOperation, wei: bigint, at: DateTime.Utc): UnpaidGasEntry =>
  gasEntryOfWei(quotedOperation, wei, "REVERTED_BUNDLE", at)
