import {
  displayedTotal,
  displayFees,
  type HistoryFilter,
  type MetadataPair,
  type Movement,
  type MovementTotal,
  type Transaction,
  transactionHashOf
} from "@countersign/core/accounting/history"
import type { ChainId } from "@countersign/core/foundation/chains"
import { BadRequest } from "@countersign/core/foundation/errors"
import { WalletAddress } from "@countersign/core/foundation/primitives"
import {
  type FiatCode,
  type FiatRatesE18,
  type FiatValueMap,
  fiatCodes,
  isToken
} from "@countersign/core/foundation/tokens"
import { POSITION_ID, positionSubject } from "@countersign/core/trading/liquidity"
import { DateTime, Effect, Schema } from "effect"
import { assetText, type FindToken, shownFeeBody } from "./amounts.ts"
import { detailsBody } from "./historyDetails.ts"
import { type BaseUrl, chainBody, chainBodyOrNull, type ExplorerOf, explorerLink, tokenBody } from "./links.ts"

/** Maximum number of decimals of a value in any currency. Bitcoin has the smallest unit, with eight decimals. */
const FIAT_DECIMALS = 8

const E18 = 10n ** 18n
const FIAT_UNIT_SCALE = 10n ** BigInt(36 - FIAT_DECIMALS)
const ZERO_CHAR_CODE = "0".charCodeAt(0)

/**
 * Formats a value with eight decimals, without trailing zeros. Does not use `decimalFromBaseUnits`, because its
 * validation is too slow for a page of transactions.
 */
const fiatText = (units: bigint): string => {
  const digits = String(units).padStart(FIAT_DECIMALS + 1, "0")
  const pointIndex = digits.length - FIAT_DECIMALS
  let endIndex = digits.length
  while (endIndex > pointIndex && digits.charCodeAt(endIndex - 1) === ZERO_CHAR_CODE) endIndex -= 1
  return endIndex === pointIndex
    ? digits.slice(0, pointIndex)
    : `${digits.slice(0, pointIndex)}.${digits.slice(pointIndex, endIndex)}`
}

const usdE18Of = (usd: string): bigint => {
  const [whole = "0", fraction = ""] = usd.split(".")
  return BigInt(whole + fraction.padEnd(18, "0").slice(0, 18))
}

const fiatValueRoundingDown = (usdE18: bigint | null, code: FiatCode, rates: FiatRatesE18): string | null => {
  const rate = code === "usd" ? E18 : rates.get(code)
  return usdE18 === null || rate === undefined ? null : fiatText((usdE18 * rate) / FIAT_UNIT_SCALE)
}

/** Converts a US dollar value to another currency, rounded down to at most eight decimals. */
export const fiatValue = (usd: string | null, code: FiatCode, rates: FiatRatesE18): string | null =>
  fiatValueRoundingDown(usd === null ? null : usdE18Of(usd), code, rates)

/**
 * Converts a US dollar value to every currency, rounded down to at most eight decimals. A value without a rate is null.
 */
const fiatValues = (usd: string | null, rates: FiatRatesE18): FiatValueMap => {
  const usdE18 = usd === null ? null : usdE18Of(usd)
  const values: Partial<Record<FiatCode, string | null>> = {}
  for (const code of fiatCodes) values[code] = fiatValueRoundingDown(usdE18, code, rates)
  return values as FiatValueMap
}

const amountBody = (base: BaseUrl, side: MovementTotal | null, find: FindToken, rates: FiatRatesE18) => {
  if (side === null) return { token: null, amount: null }
  const listedToken = isToken(side.asset) ? find(side.asset.chainId, side.asset.token) : null
  const token = listedToken === null ? null : tokenBody(base, listedToken)
  return {
    token,
    amount: {
      token,
      currency: isToken(side.asset) ? null : side.asset.currency,
      amount: assetText(side.amount, side.asset, find),
      amountIn: fiatValues(side.usd, rates),
      cryptoCurrency: token
    }
  }
}

const isAddress = Schema.is(WalletAddress)

/** Returns the counterparty if it is an address; null if it is a protocol or a bank. */
const addressOrNull = (side: MovementTotal | null): string | null => {
  const counterparty = side?.counterparty ?? null
  return isAddress(counterparty) ? counterparty : null
}

const movementBody = (base: BaseUrl, movement: Movement, find: FindToken) => {
  const { account, amount, asset, counterparty, direction, role, usd, usdSource } = movement
  const token = isToken(asset) ? find(asset.chainId, asset.token) : null
  return {
    direction,
    role,
    account,
    counterparty,
    chain: isToken(asset) ? chainBody(base, asset.chainId) : null,
    token: token === null ? null : tokenBody(base, token),
    tokenAddress: isToken(asset) ? asset.token : null,
    currency: isToken(asset) ? null : asset.currency,
    amount: assetText(amount, asset, find),
    valueUsd: usd,
    valueSource: usdSource ?? null
  }
}

export const historyBody = (
  base: BaseUrl,
  transaction: Transaction,
  find: FindToken,
  rates: FiatRatesE18,
  explorerOf: ExplorerOf
) => {
  const receivedSide = displayedTotal(transaction, "IN")
  const sentSide = displayedTotal(transaction, "OUT")
  const receivedAmount = amountBody(base, receivedSide, find, rates)
  const sentAmount = amountBody(base, sentSide, find, rates)
  const chainIn = chainBodyOrNull(base, transaction.chainIdIn)
  const chainOut = chainBodyOrNull(base, transaction.chainIdOut)
  const leg = transactionHashOf(transaction)
  return {
    metadata: transaction.metadata,
    id: transaction.id,
    createdAt: DateTime.formatIso(transaction.createdAt),
    updatedAt: DateTime.formatIso(transaction.updatedAt),
    executedAt: transaction.executedAt === null ? null : DateTime.formatIso(transaction.executedAt),
    status: transaction.status,
    substatus: transaction.substatus,
    transactionHash: explorerLink(explorerOf, leg?.chainId ?? null, leg?.hash ?? null),
    legs: transaction.legs.map(({ chainId, confirmations, hash, state }) => ({
      chain: chainBody(base, chainId),
      transactionHash: explorerLink(explorerOf, chainId, hash),
      state,
      ...(confirmations === undefined ? {} : { confirmations })
    })),
    movements: transaction.movements.map((movement) => movementBody(base, movement, find)),
    chain: chainIn ?? chainOut,
    chainIn,
    chainOut,
    type: transaction.type,
    userOperationHash: transaction.userOperationHash,
    receivedBy: receivedSide?.account ?? null,
    receivedFromAddress: addressOrNull(receivedSide),
    receivedCryptoCurrency: receivedAmount.token,
    receivedAmount: receivedAmount.amount,
    sentTo: addressOrNull(sentSide),
    sentCryptoCurrency: sentAmount.token,
    sentAmount: sentAmount.amount,
    ...detailsBody(transaction, find),
    fees: displayFees(transaction).map((fee) => shownFeeBody(fee, find)),
    failure: transaction.failure
  }
}

interface HistoryQueryValues {
  readonly type?: HistoryFilter["types"]
  readonly status?: HistoryFilter["statuses"]
  readonly userOperationHash?: NonNullable<HistoryFilter["userOperationHash"]>
  readonly transactionHash?: NonNullable<HistoryFilter["transactionHash"]>
  readonly chains?: HistoryFilter["chains"]
  readonly chainInId?: ChainId
  readonly chainOutId?: ChainId
  readonly createdAtLatest?: DateTime.Utc
  readonly createdAtOldest?: DateTime.Utc
  readonly metadataKey?: string
  readonly metadataValue?: string
  readonly nftNumber?: string
  readonly includeUnlisted: boolean
}

/**
 * Builds the filter for a liquidity position. A rebalance mints a new NFT and keeps the `positionId`, so the filter
 * matches both ids. The `positionId` is the id of the position's first NFT, so this id finds the entire history.
 */
const subjectOf = (nftNumber: string, pair: MetadataPair | null): NonNullable<HistoryFilter["subject"]> => ({
  id: positionSubject(nftNumber),
  orMetadata: pair === null ? { key: POSITION_ID, value: nftNumber } : pair.key === POSITION_ID ? pair : null
})

/** Returns the filters for the requested position and metadata pair. */
const subjectAndMetadata = ({
  metadataKey,
  metadataValue,
  nftNumber
}: HistoryQueryValues): Pick<HistoryFilter, "metadata" | "subject"> => {
  const pair =
    metadataKey === undefined || metadataValue === undefined ? null : { key: metadataKey, value: metadataValue }
  if (nftNumber === undefined) return pair === null ? {} : { metadata: pair }
  const subject = subjectOf(nftNumber, pair)
  return pair === null || subject.orMetadata === pair ? { subject } : { subject, metadata: pair }
}

/** Converts the query to a filter of the core. */
export const historyFilterOf = (query: HistoryQueryValues): HistoryFilter => ({
  ...(query.type === undefined ? {} : { types: query.type }),
  ...(query.status === undefined ? {} : { statuses: query.status }),
  ...(query.userOperationHash === undefined ? {} : { userOperationHash: query.userOperationHash }),
  ...(query.transactionHash === undefined ? {} : { transactionHash: query.transactionHash }),
  ...(query.chains === undefined ? {} : { chains: query.chains }),
  ...(query.chainInId === undefined ? {} : { chainIdIn: query.chainInId }),
  ...(query.chainOutId === undefined ? {} : { chainIdOut: query.chainOutId }),
  ...(query.createdAtLatest === undefined ? {} : { createdAtLatest: query.createdAtLatest }),
  ...(query.createdAtOldest === undefined ? {} : { createdAtOldest: query.createdAtOldest }),
  ...(query.includeUnlisted ? { includeUnlisted: true } : {}),
  ...subjectAndMetadata(query)
})

/** Rejects a query whose oldest date is after its latest date. A query with only one of the two dates is accepted. */
export const requireDatesInOrder = ({
  createdAtLatest: latest,
  createdAtOldest: oldest
}: Pick<HistoryQueryValues, "createdAtLatest" | "createdAtOldest">) =>
  latest !== undefined && oldest !== undefined && DateTime.isGreaterThan(oldest, latest)
    ? BadRequest.of(
        "createdAtOldest",
        "after_latest",
        "createdAtOldest is after createdAtLatest: no transaction is between them."
      )
    : Effect.void

export const requireMetadataPair = (query: { readonly metadataKey?: string; readonly metadataValue?: string }) => {
  if ((query.metadataKey === undefined) === (query.metadataValue === undefined)) return Effect.void
  const missingField = query.metadataKey === undefined ? "metadataKey" : "metadataValue"
  return BadRequest.of(missingField, "missing", "metadataKey and metadataValue must be given together.")
}
