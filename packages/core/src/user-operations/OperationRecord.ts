import { Schema } from "effect"
import { ChainId } from "../chains/index.ts"
import { HistoryTransaction } from "../history/index.ts"
import { Address, Hash32, HexBytes, Metadata } from "../primitives/index.ts"
import { ProjectId } from "../projects/index.ts"
import { SignData } from "../signing/index.ts"
import { Account } from "../wallets/index.ts"
import { RevertReason, UserOperation } from "./UserOperation.ts"

/** The moment an owner's signature was accepted, and what was answered. */
export const Submission = Schema.Struct({
  /** The owner's 65 bytes, before they are put into the account's format. */
  signature: HexBytes,
  authorizationSignature: Schema.NullOr(HexBytes),
  transactionId: Schema.String.check(Schema.isUUID()),
  submittedAt: Schema.DateTimeUtc,
  estimatedExecutionTime: Schema.DateTimeUtc,
  /** The block from which the operation can be found on chain. */
  fromBlock: Schema.BigInt,
  /** After this instant the operation can no longer execute: what is then in no block has failed. */
  deadline: Schema.DateTimeUtc
})
export type Submission = typeof Submission.Type

/** The block that an operation is in, as long as that stays. */
export interface Inclusion {
  readonly blockNumber: bigint
  readonly blockHash: Hash32
}

/** A prepared operation: immutable and bound to its hash, but for the submission, which is set once. */
export const OperationRecord = Schema.Struct({
  id: Schema.String.check(Schema.isUUID()),
  projectId: ProjectId,
  hash: Hash32,
  account: Account,
  operation: UserOperation,
  chainIdIn: ChainId,
  chainIdOut: ChainId,
  payGasFeeToken: Address,
  /** Decimal strings in whole coins and whole tokens. */
  maxGasFeeNative: Schema.String,
  maxGasFeeToken: Schema.String,
  signData: Schema.Array(SignData),
  revertReason: Schema.NullOr(RevertReason),
  metadata: Metadata,
  createdAt: Schema.DateTimeUtc,
  expiresAt: Schema.DateTimeUtc,
  /** How the operation will stand in the wallet's history once it is signed. */
  transaction: HistoryTransaction,
  submission: Schema.NullOr(Submission)
})
export type OperationRecord = typeof OperationRecord.Type
