import { Schema } from "effect"
import { ChainId } from "../../foundation/chains/index.ts"
import { Fee } from "../../foundation/fees/index.ts"
import { Hash32, Metadata, WalletAddress } from "../../foundation/primitives/index.ts"
import { isSameAsset } from "../../foundation/tokens/index.ts"
import { ProjectId } from "../../tenancy/projects/index.ts"
import { Movement, sideOf } from "./Movement.ts"

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

/** Where a chain has a transaction. */
export const BlockRef = Schema.Struct({ number: Schema.BigInt, hash: Hash32 })
export type BlockRef = typeof BlockRef.Type

/** A transaction of a chain that this one consists of. PENDING until it is in a block, FINAL once that stays. */
export const Leg = Schema.Struct({
  chainId: ChainId,
  /** Null while it is in no block. */
  hash: Schema.NullOr(Hash32),
  block: Schema.NullOr(BlockRef),
  state: Schema.Literals(["PENDING", "INCLUDED", "FINAL"]),
  /** The stage of the execution that brings it about: where to begin again when its block goes away. */
  stage: Schema.Int,
  /** Blocks that have it or are on top of it, of a chain where they are waited for one by one: Bitcoin's. */
  confirmations: Schema.optionalKey(Schema.Int)
})
export type Leg = typeof Leg.Type

export const pendingLeg = (chainId: ChainId, stage: number): Leg => ({
  chainId,
  hash: null,
  block: null,
  state: "PENDING",
  stage
})

/** The part of a transaction that is known when it is quoted. */
const draftFields = {
  type: TransactionType,
  /** Where it starts and where it ends; null where that is no chain. */
  chainIdIn: Schema.NullOr(ChainId),
  chainIdOut: Schema.NullOr(ChainId),
  /** The expected movements, as quoted; shown until something has moved. */
  expected: Schema.Array(Movement),
  legs: Schema.Array(Leg),
  fees: Schema.Array(Fee),
  /** The id of its subject, by which it is found, where that has one; in words of its feature. */
  subject: Schema.NullOr(Schema.String),
  /** More, by type, each under the name of its `DetailsKind`. */
  details: Schema.Record(Schema.String, Schema.Unknown)
}

export const TransactionDraft = Schema.Struct(draftFields)
export type TransactionDraft = typeof TransactionDraft.Type

/** The result of an operation, an order or a payment, as the owner of the wallet sees it. */
export const Transaction = Schema.Struct({
  id: Schema.String.check(Schema.isUUID()),
  projectId: ProjectId,
  walletAddress: WalletAddress,
  ...draftFields,
  status: TransactionStatus,
  /** More than the status says, in words of our own such as SUBMITTED or INCLUDED. */
  substatus: Schema.NullOr(Schema.String),
  userOperationHash: Schema.NullOr(Hash32),
  /** The actual movements, as the chain or the provider reports them. */
  movements: Schema.Array(Movement),
  failure: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String })),
  metadata: Metadata,
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc,
  executedAt: Schema.NullOr(Schema.DateTimeUtc)
})
export type Transaction = typeof Transaction.Type

/** Final statuses. */
export const endings: ReadonlySet<TransactionStatus> = new Set([
  "COMPLETED",
  "PARTIALLY_COMPLETED",
  "FAILED",
  "CANCELLED",
  "EXPIRED",
  "REFUNDED"
])

/** Without what came in a leg and went on in it, such as the token between a swap and the bridge after it. */
const withoutPassing = (movements: ReadonlyArray<Movement>): ReadonlyArray<Movement> =>
  movements.filter(
    (moved) =>
      !movements.some(
        (other) =>
          other.direction !== moved.direction &&
          other.role === "PRINCIPAL" &&
          moved.role === "PRINCIPAL" &&
          other.leg === moved.leg &&
          other.account === moved.account &&
          isSameAsset(other.asset, moved.asset)
      )
  )

/**
 * The movements that happened. Until the transaction has ended, those of the expected asset, and the expected ones before any
 * of these has happened.
 */
export const shownSide = ({ expected, movements, status, type }: Transaction, direction: Movement["direction"]) => {
  const side = sideOf(type === "CROSS_SWAP" ? withoutPassing(movements) : movements, direction)
  const expectedSide = endings.has(status) ? null : sideOf(expected, direction)
  if (expectedSide === null) return side
  return side !== null && isSameAsset(side.asset, expectedSide.asset) ? side : expectedSide
}

/** The hash by which a transaction is looked up first: of its first leg that has one. */
export const transactionHashOf = ({ legs }: Pick<Transaction, "legs">): Leg | null =>
  legs.find(({ hash }) => hash !== null) ?? legs[0] ?? null
