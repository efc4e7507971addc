import { DateTime, Effect } from "effect"
import type { Movement, Transaction } from "../../accounting/history/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { decimalFromBaseUnits, type Hash32 } from "../../foundation/primitives/index.ts"
import { isToken, tokenKey, usdValueOrNull } from "../../foundation/tokens/index.ts"
import { claimedArrivals, type Work } from "../../operations/executions/index.ts"
import { pastValueReader } from "../../wallets/chain-activity/index.ts"
import type { FiatReport } from "../provider/FiatProvider.ts"
import { TokenTransfers, type TransfersInTransaction } from "../provider/TokenTransfers.ts"
import type { FiatOrder, FiatQuote } from "./FiatOrder.ts"
import { freeTransfers } from "./freeTransfers.ts"

/** Maximum difference in seconds between a chain's clock and this machine's clock. */
const CLOCK_SECONDS = 120
/**
 * Divisor of the tolerated deviation from the expected amount: one tenth, because rates change between a quote and a
 * late payment.
 */
const TOLERANCE = 10n

/**
 * A provider's report. If it did not identify the return transfer, `returnHash` is the result of the service's own
 * search.
 */
export type ReportWithReturn = FiatReport & { readonly returnHash: Hash32 | null }

/** A transfer that an order records. */
export interface OrderTransfer extends Pick<TransfersInTransaction, "block" | "chainId" | "hash"> {
  readonly direction: Movement["direction"]
  readonly amount: bigint
  /** Null if no price is known for the time of the transfer. */
  readonly usd: string | null
  readonly counterparty: string
}

/** The transfers that the next state of an order requires. */
export type OrderTransfers =
  | { readonly _tag: "Found"; readonly transfers: ReadonlyArray<OrderTransfer> }
  /** No block includes the required transfers yet. */
  | { readonly _tag: "Missing" }
  /** The transfer that the provider reported can't belong to the order. */
  | { readonly _tag: "Mismatch"; readonly reason: string }

interface Bounds {
  readonly expected: bigint
  readonly minAmount: bigint
  readonly maxAmount: bigint
}

/** Returns the token amount that the order's operation or deposit is expected to move. */
const quotedAmount = ({ quote: { direction, token, tokenAmount } }: FiatOrder, { expected }: Transaction): bigint =>
  expected.find(
    (movement) =>
      movement.role === "PRINCIPAL" &&
      movement.direction === (direction === "DEPOSIT" ? "IN" : "OUT") &&
      isToken(movement.asset) &&
      movement.asset.token === token.address
  )?.amount ?? tokenAmount

/**
 * Returns bounds for the token amount, in proportion to the fiat amount that was paid. The provider's fees may be
 * fixed, so the minimum deducts all fees.
 */
export const depositBounds = (
  { fees, fiatAmount: quotedFiatAmount }: Pick<FiatQuote, "fees" | "fiatAmount">,
  tokenAmount: bigint,
  paidAmount: bigint
): Bounds => {
  const expectedTokens = (tokenAmount * paidAmount) / quotedFiatAmount
  const allFees = (fees.reduce((sum, { amount }) => sum + amount, 0n) * tokenAmount) / quotedFiatAmount
  const margin = expectedTokens / TOLERANCE
  return { expected: expectedTokens, minAmount: expectedTokens - margin - allFees, maxAmount: expectedTokens + margin }
}

/** Reads the transfers that a provider reports, and claims them for the order. */
export const orderTransfers = Effect.gen(function* () {
  const transfers = yield* TokenTransfers
  const claim = yield* claimedArrivals
  const findFreeTransfers = yield* freeTransfers
  const valuesAt = yield* pastValueReader

  const find = Effect.fnUntraced(function* (
    { execution }: Work,
    { createdAt, quote: { chainId, token, walletAddress } }: FiatOrder,
    hash: Hash32,
    direction: OrderTransfer["direction"],
    { expected, minAmount, maxAmount }: Bounds
  ): Effect.fn.Return<OrderTransfers, UpstreamUnavailable> {
    const search = { chainId, hash, token: token.address, account: walletAddress, direction }
    const foundTransfers = yield* transfers.find(search)
    if (foundTransfers === null) return { _tag: "Missing" }
    if (foundTransfers.timestamp + CLOCK_SECONDS < DateTime.toEpochMillis(createdAt) / 1_000) {
      return { _tag: "Mismatch", reason: `The provider reports transaction ${hash}, which is older than the order` }
    }
    const isPlausible = (amount: bigint) => amount >= minAmount && amount <= maxAmount
    const freeTransferList = yield* findFreeTransfers(execution, search, foundTransfers)
    const claimResult = yield* claim(execution, { chainId, hash, account: walletAddress }, freeTransferList, {
      expected,
      isPlausible
    })
    if (claimResult._tag === "Taken") {
      return {
        _tag: "Mismatch",
        reason: `The provider reports transaction ${hash}, which belongs to another operation`
      }
    }
    const text = (amount: bigint) => `${decimalFromBaseUnits(amount, token.decimals)} ${token.symbol}`
    if (claimResult._tag === "Implausible") {
      const reason = `The provider reports transaction ${hash}, which transferred ${text(claimResult.amount)}, but the order expects about ${text(expected)}`
      return { _tag: "Mismatch", reason }
    }
    const { amount } = claimResult
    const prices = yield* valuesAt([token], foundTransfers.timestamp, createdAt)
    const usd = usdValueOrNull(amount, token, prices?.get(tokenKey(token)))
    const { counterparty } = claimResult.transfers[0]!
    return {
      _tag: "Found",
      transfers: [{ chainId, hash, block: foundTransfers.block, direction, amount, usd, counterparty }]
    }
  })

  return Effect.fnUntraced(function* (
    work: Work,
    order: FiatOrder,
    { fiatAmount, returnHash, state, transactionHash }: ReportWithReturn
  ): Effect.fn.Return<OrderTransfers, UpstreamUnavailable> {
    const expectedAmount = quotedAmount(order, yield* work.transaction)
    const isDeposit = order.quote.direction === "DEPOSIT"
    const upToQuoted: Bounds = { expected: expectedAmount, minAmount: 1n, maxAmount: expectedAmount }
    const bounds = isDeposit ? depositBounds(order.quote, expectedAmount, fiatAmount ?? order.fiatAmount) : upToQuoted
    const collectedTransfers =
      transactionHash && (yield* find(work, order, transactionHash, isDeposit ? "IN" : "OUT", bounds))
    const returnTransfer = returnHash && (yield* find(work, order, returnHash, "IN", upToQuoted))
    const neededTransfer = state === "COMPLETED" ? collectedTransfers : state === "RETURNED" ? returnTransfer : null
    const isNeeded = state === "COMPLETED" || state === "RETURNED"
    if (isNeeded && neededTransfer?._tag !== "Found") return neededTransfer ?? { _tag: "Missing" }
    const all = [collectedTransfers, returnTransfer].flatMap((one) => (one?._tag === "Found" ? one.transfers : []))
    return { _tag: "Found", transfers: all }
  })
})
