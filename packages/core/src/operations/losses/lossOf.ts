import type { DateTime } from "effect"
import {
  type DecimalString,
  decimalFromBaseUnits,
  mulDivRoundingDown,
  NATIVE_COIN
} from "../../foundation/primitives/index.ts"
import { pricesOf, type StoredPrices, tokenKey, type UsdPriceE18 } from "../../foundation/tokens/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { UserOperationIntent } from "../intents/index.ts"
import type { OperationOutcome } from "../user-operations/index.ts"
import type { Loss, LossCause } from "./Loss.ts"

/** An operation with its quote. */
export interface QuotedOperation {
  readonly quote: { readonly projectId: ProjectId; readonly prices: typeof StoredPrices.Type }
  readonly intent: UserOperationIntent
}

/** An included operation. */
export interface SettledOperation extends QuotedOperation {
  readonly outcome: OperationOutcome
}

/** The tolerated missing part is the cost divided by this, because rates are rounded and gas is estimated. */
const TOLERANCE_DIVISOR = 10n

/** The unpaid part of the operation's cost, in wei; zero or negative if the whole cost was paid. */
const unpaidWei = ({
  intent: { gas },
  outcome: { actualGasCost, success, tokenPayment }
}: SettledOperation): bigint => {
  // Successful calls include the paymaster's fee, so a missing payment is only a missing log.
  if (gas.maxToken === 0n || (success && tokenPayment === null)) return 0n
  const units = tokenPayment !== null && tokenPayment.token === gas.token ? tokenPayment.amount : 0n
  // At the rate of the quote, because a changed price is not treated as unpaid gas.
  const costBeyond = (paidUnits: bigint) => actualGasCost - (paidUnits * gas.maxWei) / gas.maxToken
  // A paymaster rounds down. If gas is cheap, the whole cost may be less than one unit.
  return costBeyond(units + 1n) * TOLERANCE_DIVISOR <= actualGasCost ? 0n : costBeyond(units)
}

const USD_DECIMALS = 6

/** The value of a native amount in US dollars; null if the price is unknown. */
const usdOf = (wei: bigint, priceE18: UsdPriceE18 | undefined): DecimalString | null =>
  priceE18 === undefined
    ? null
    : decimalFromBaseUnits(mulDivRoundingDown(wei, priceE18, 10n ** BigInt(36 - USD_DECIMALS)), USD_DECIMALS)

const lossOfWei = ({ intent, quote }: QuotedOperation, wei: bigint, cause: LossCause, at: DateTime.Utc): Loss => {
  const { chainId } = intent.operation
  const coin = { chainId, address: NATIVE_COIN }
  return {
    projectId: quote.projectId,
    walletAddress: intent.account.address,
    owner: intent.account.owner,
    chainId,
    wei,
    usd: usdOf(wei, pricesOf(quote.prices).get(tokenKey(coin))),
    cause,
    at,
    userOperationHash: intent.hash
  }
}

/** The unpaid part of an operation's cost to its paymaster; null if the whole cost was paid. */
export const lossOf = (settled: SettledOperation, at: DateTime.Utc): Loss | null => {
  if (settled.intent.operation.paymaster === null) return null
  const wei = unpaidWei(settled)
  return wei <= 0n ? null : lossOfWei(settled, wei, "UNPAID_OPERATION", at)
}

/** The operator's cost for transactions that reverted because of an operation, in wei. */
export const lossOfReverted = (quoted: QuotedOperation, wei: bigint, at: DateTime.Utc): Loss =>
  lossOfWei(quoted, wei, "REVERTED_BUNDLE", at)
