import { EvmChainId } from "@countersign/core/foundation/chains"
import { Address, Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import type { BundleTransaction, OperatorAccount, OperatorTransaction } from "@countersign/core/operations/operator"
import { Schema } from "effect"
import { checkType, Instant, Json, rowCodec } from "./codec.ts"
import type { Tables } from "./migrations/index.ts"

const hashes = Json(Schema.Array(Hash32))

const operatorAccountFields = { chainId: EvmChainId, operator: Address }

const bundleFields = {
  nonce: Schema.Int,
  hash: Hash32,
  replaced: Schema.Array(Hash32),
  operations: Schema.Array(Hash32),
  state: Schema.Literals(["SENT", "MINED", "REVERTED", "LOST"])
}

const toOperatorAccount = checkType(Schema.Struct(operatorAccountFields))

export const operatorAccountFromRow = (
  row: Pick<Tables["operator_transactions"], "chain_id" | "operator">
): OperatorAccount => toOperatorAccount({ chainId: row.chain_id, operator: row.operator })

const bundleRow = rowCodec(Schema.Struct(bundleFields), { replaced: hashes, operations: hashes })

const transactionRow = rowCodec(
  Schema.Struct({
    ...operatorAccountFields,
    ...bundleFields,
    raw: HexBytes,
    maxFeePerGas: Schema.BigInt,
    maxPriorityFeePerGas: Schema.BigInt,
    block: Schema.Int,
    sentAt: Schema.DateTimeUtc
  }),
  {
    replaced: hashes,
    operations: hashes,
    maxFeePerGas: Schema.BigIntFromString,
    maxPriorityFeePerGas: Schema.BigIntFromString,
    sentAt: Instant
  }
)

export const transactionColumns = transactionRow.columns

export const transactionFromRow = (row: Omit<Tables["operator_transactions"], "watched">): OperatorTransaction =>
  transactionRow.fromRow(row)

export const toTransactionRow = (transaction: OperatorTransaction): Tables["operator_transactions"] => ({
  ...transactionRow.rowOf(transaction),
  watched: 1
})

type BundleTransactionRow = Pick<
  Tables["operator_transactions"],
  "nonce" | "hash" | "replaced" | "operations" | "state" | "watched"
>

export const bundleTransactionFromRow = (row: BundleTransactionRow): BundleTransaction => {
  const { hash, replaced, ...transaction } = bundleRow.fromRow(row)
  return { ...transaction, hashes: [hash, ...replaced], watched: row.watched === 1 }
}
