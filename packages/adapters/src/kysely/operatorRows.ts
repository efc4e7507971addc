import { EvmChainId } from "@countersign/core/chains"
import type { BundleTransaction, Lane, OperatorTransaction } from "@countersign/core/operator"
import { Address, Hash32, HexBytes, jsonText } from "@countersign/core/primitives"
import { Schema } from "effect"
import { checkType, instantOf, millisOf } from "./codec.ts"
import type { Tables } from "./tables.ts"

const hashes = jsonText(Schema.Array(Hash32))

const checkedLane = checkType(Schema.Struct({ chainId: EvmChainId, operator: Address }))
const checkedState = checkType(Schema.Literals(["SENT", "MINED", "REVERTED", "LOST"]))
const checkedHash = checkType(Hash32)
const checkedBytes = checkType(HexBytes)

export const laneOfRow = (row: Pick<Tables["operator_transactions"], "chain_id" | "operator">): Lane =>
  checkedLane({ chainId: row.chain_id, operator: row.operator })

export const rowOfTransaction = (transaction: OperatorTransaction): Tables["operator_transactions"] => ({
  chain_id: transaction.chainId,
  operator: transaction.operator,
  nonce: transaction.nonce,
  hash: transaction.hash,
  raw: transaction.raw,
  max_fee_per_gas: String(transaction.maxFeePerGas),
  max_priority_fee_per_gas: String(transaction.maxPriorityFeePerGas),
  replaced: hashes.encode(transaction.replaced),
  operations: hashes.encode(transaction.operations),
  state: transaction.state,
  block: transaction.block,
  sent_at: millisOf(transaction.sentAt),
  watched: 1
})

export const transactionOfRow = (row: Omit<Tables["operator_transactions"], "watched">): OperatorTransaction => ({
  ...laneOfRow(row),
  nonce: row.nonce,
  hash: checkedHash(row.hash),
  raw: checkedBytes(row.raw),
  maxFeePerGas: BigInt(row.max_fee_per_gas),
  maxPriorityFeePerGas: BigInt(row.max_priority_fee_per_gas),
  replaced: hashes.decode(row.replaced),
  operations: hashes.decode(row.operations),
  state: checkedState(row.state),
  block: row.block,
  sentAt: instantOf(row.sent_at)
})

type BundleTransactionRow = Pick<
  Tables["operator_transactions"],
  "nonce" | "hash" | "replaced" | "operations" | "state" | "watched"
>

export const bundleTransactionOfRow = (row: BundleTransactionRow): BundleTransaction => ({
  nonce: row.nonce,
  hashes: [checkedHash(row.hash), ...hashes.decode(row.replaced)],
  operations: hashes.decode(row.operations),
  state: checkedState(row.state),
  watched: row.watched === 1
})
