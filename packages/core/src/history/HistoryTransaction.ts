import { Schema } from "effect"
import { ChainId } from "../chains/index.ts"
import { Fee } from "../fees/index.ts"
import { Address, Hash32, Metadata } from "../primitives/index.ts"
import { ProjectId } from "../projects/index.ts"

export const TransactionType = Schema.Literals([
  "SWAP",
  "CROSS_SWAP",
  "LENDING_SUPPLY",
  "LENDING_SUPPLY_BORROW",
  "LENDING_BORROW",
  "LENDING_WITHDRAW",
  "LENDING_REPAY",
  "LENDING_REPAY_WITHDRAW",
  "LENDING_LIQUIDATION",
  "CRYPTO_DEPOSIT",
  "CRYPTO_WITHDRAW",
  "TRANSFER",
  "BATCH",
  "LIMIT_ORDER",
  "LIMIT_ORDER_CANCEL",
  "FIAT_DEPOSIT",
  "FIAT_WITHDRAWAL",
  "LIQUIDITY_CREATE",
  "LIQUIDITY_ADD",
  "LIQUIDITY_WITHDRAW",
  "LIQUIDITY_REBALANCE",
  "WALLET_DEPLOY"
])
export type TransactionType = typeof TransactionType.Type

export const TransactionStatus = Schema.Literals([
  "PENDING_SIGNATURE",
  "PROCESSING",
  "ON_BRIDGE",
  "COMPLETED",
  "PARTIALLY_COMPLETED",
  "FAILED",
  "CANCELLED",
  "EXPIRED",
  "REFUNDED"
])
export type TransactionStatus = typeof TransactionStatus.Type

/** An amount that a wallet sent or received, in base units, valued when it was recorded. */
export const HistoryAmount = Schema.Struct({
  chainId: ChainId,
  token: Address,
  /** Base units. */
  amount: Schema.BigInt,
  /** Value in US dollars as a decimal string; null when no price was known. */
  usd: Schema.NullOr(Schema.String)
})
export type HistoryAmount = typeof HistoryAmount.Type

/** What became of an operation, as its wallet's owner sees it. */
export const HistoryTransaction = Schema.Struct({
  id: Schema.String.check(Schema.isUUID()),
  projectId: ProjectId,
  walletAddress: Schema.String,
  type: TransactionType,
  status: TransactionStatus,
  /** More than the status says, in words of our own such as SUBMITTED or INCLUDED. */
  substatus: Schema.NullOr(Schema.String),
  chainIdIn: ChainId,
  chainIdOut: ChainId,
  userOperationHash: Schema.NullOr(Hash32),
  transactionHash: Schema.NullOr(Hash32),
  sent: Schema.NullOr(HistoryAmount),
  sentTo: Schema.NullOr(Schema.String),
  received: Schema.NullOr(HistoryAmount),
  receivedBy: Schema.NullOr(Schema.String),
  receivedFrom: Schema.NullOr(Schema.String),
  swapProvider: Schema.NullOr(Schema.String),
  fees: Schema.Array(Fee),
  failure: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String })),
  nftNumber: Schema.NullOr(Schema.String),
  metadata: Metadata,
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc,
  executedAt: Schema.NullOr(Schema.DateTimeUtc)
})
export type HistoryTransaction = typeof HistoryTransaction.Type
