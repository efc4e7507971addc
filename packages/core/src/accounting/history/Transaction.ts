import { Schema } from "effect"
import { ChainId } from "../../foundation/chains/index.ts"
import { Fee } from "../../foundation/fees/index.ts"
import { Hash32, Metadata, WalletAddress } from "../../foundation/primitives/index.ts"
import { isSameAsset } from "../../foundation/tokens/index.ts"
import { ProjectId } from "../../tenancy/projects/index.ts"
import { Movement, movementTotalOf } from "./Movement.ts"

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

/** The block that includes a transaction. */
export const BlockRef = Schema.Struct({ number: Schema.BigInt, hash: Hash32 })
export type BlockRef = typeof BlockRef.Type

/**
 * One on-chain transaction that belongs to this transaction. PENDING until a block includes it, FINAL when a reorg can
 * no longer remove the block.
 */
export const Leg = Schema.Struct({
  chainId: ChainId,
  /** Null until the hash is known. A Bitcoin transaction has a hash before a block includes it. */
  hash: Schema.NullOr(Hash32),
  block: Schema.NullOr(BlockRef),
  state: Schema.Literals(["PENDING", "INCLUDED", "FINAL"]),
  /**
   * The index of the execution stage that sends or records the transaction. After a reorg, the execution resumes at
   * this stage.
   */
  stage: Schema.Int,
  /** Number of confirmations. Only set for Bitcoin. */
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

/** The fields that are known when the operation is quoted. */
const draftFields = {
  type: TransactionType,
  /** The source and destination chains. Null if the source or destination is off-chain. */
  chainIdIn: Schema.NullOr(ChainId),
  chainIdOut: Schema.NullOr(ChainId),
  /** The quoted movements. While the transaction is pending, the API shows them until the expected asset has moved. */
  expected: Schema.Array(Movement),
  legs: Schema.Array(Leg),
  fees: Schema.Array(Fee),
  /** The feature's id for the transaction's subject, by which transactions can be filtered. Null if there is none. */
  subject: Schema.NullOr(Schema.String),
  /** Data of features, keyed by the name of their `DetailsKind`. */
  details: Schema.Record(Schema.String, Schema.Unknown)
}

export const TransactionDraft = Schema.Struct(draftFields)
export type TransactionDraft = typeof TransactionDraft.Type

/** An operation, an order or a payment of the wallet, and its result, as the wallet owner sees it. */
export const Transaction = Schema.Struct({
  id: Schema.String.check(Schema.isUUID()),
  projectId: ProjectId,
  walletAddress: WalletAddress,
  ...draftFields,
  status: TransactionStatus,
  /** More detailed than the status, such as SUBMITTED or INCLUDED. Null if the status says everything. */
  substatus: Schema.NullOr(Schema.String),
  userOperationHash: Schema.NullOr(Hash32),
  /** The actual movements, as reported by the chain or the provider. */
  movements: Schema.Array(Movement),
  failure: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String })),
  metadata: Metadata,
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc,
  executedAt: Schema.NullOr(Schema.DateTimeUtc)
})
export type Transaction = typeof Transaction.Type

/** Final statuses. */
export const finalStatuses: ReadonlySet<TransactionStatus> = new Set([
  "COMPLETED",
  "PARTIALLY_COMPLETED",
  "FAILED",
  "CANCELLED",
  "EXPIRED",
  "REFUNDED"
])

/** Removes an asset that moved in both directions in the same leg, such as the token between a swap and its bridge. */
const withoutPassThrough = (movements: ReadonlyArray<Movement>): ReadonlyArray<Movement> =>
  movements.filter(
    (movement) =>
      !movements.some(
        (other) =>
          other.direction !== movement.direction &&
          other.role === "PRINCIPAL" &&
          movement.role === "PRINCIPAL" &&
          other.leg === movement.leg &&
          other.account === movement.account &&
          isSameAsset(other.asset, movement.asset)
      )
  )

/**
 * Returns the total in one direction, as shown by the API: the actual movements. While the transaction is pending and
 * the expected asset has not moved, the expected movements.
 */
export const displayedTotal = (
  { expected, movements, status, type }: Transaction,
  direction: Movement["direction"]
) => {
  const actualTotal = movementTotalOf(type === "CROSS_SWAP" ? withoutPassThrough(movements) : movements, direction)
  const expectedTotal = finalStatuses.has(status) ? null : movementTotalOf(expected, direction)
  if (expectedTotal === null) return actualTotal
  return actualTotal !== null && isSameAsset(actualTotal.asset, expectedTotal.asset) ? actualTotal : expectedTotal
}

/**
 * Returns the leg whose hash identifies the transaction: the first leg with a hash. If no leg has a hash, the first
 * leg. Null if there are no legs.
 */
export const transactionHashOf = ({ legs }: Pick<Transaction, "legs">): Leg | null =>
  legs.find(({ hash }) => hash !== null) ?? legs[0] ?? null
