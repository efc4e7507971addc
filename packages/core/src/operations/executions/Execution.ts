import { Schema } from "effect"
import { TransactionStatus } from "../../accounting/history/index.ts"
import { WalletAddress } from "../../foundation/primitives/index.ts"
import { Signatures } from "../../foundation/signing/index.ts"
import { ProjectId } from "../../tenancy/projects/index.ts"
import { Reservation } from "./reservation/Reservation.ts"

/** The party that must act before an execution can leave a stage. */
export const WaitsFor = Schema.Literals(["CHAIN", "BRIDGE", "ORDER_BOOK", "BANK", "PAYER"])
export type WaitsFor = typeof WaitsFor.Type

/** What an execution waits for in a stage. It is stored, so that a process without this stage can also report it. */
export const StageWait = Schema.Struct({
  waitsFor: WaitsFor,
  /** A noun phrase, such as "a block with the operation". */
  awaited: Schema.String,
  /**
   * The time after which the wait is longer than normal. Null if a wait of any length is normal, as for a limit order.
   */
  lateAt: Schema.NullOr(Schema.DateTimeUtc)
})
export type StageWait = typeof StageWait.Type

/** A stage of an execution, with its stored state. */
export const ExecutionStage = Schema.Struct({
  name: Schema.String,
  intent: Schema.NullOr(Schema.Int),
  status: TransactionStatus,
  /** Encoded by the stage's own codec. */
  state: Schema.String,
  /**
   * The time after which the stage no longer waits, unless the chain may still execute what it waits for. Null if there
   * is no limit.
   */
  deadline: Schema.NullOr(Schema.DateTimeUtc),
  /** Absent until the execution enters the stage. */
  wait: Schema.optionalKey(StageWait)
})
export type ExecutionStage = typeof ExecutionStage.Type

/** An accepted quote, and its progress through its stages. */
export const Execution = Schema.Struct({
  /** Equal to the id of the execution's transaction. */
  id: Schema.String.check(Schema.isUUID()),
  projectId: ProjectId,
  quoteId: Schema.String,
  walletAddress: WalletAddress,
  /** The owner's signatures, before they are converted to the account's format. */
  signatures: Signatures,
  stages: Schema.Array(ExecutionStage),
  /** The index of the current stage. */
  at: Schema.Int,
  acceptedAt: Schema.DateTimeUtc,
  estimatedExecutionTime: Schema.DateTimeUtc,
  /**
   * Null if there are no user operations, or if they can no longer execute. Absent if the execution ended in an earlier
   * version of the service.
   */
  reservation: Schema.optionalKey(Schema.NullOr(Reservation))
})
export type Execution = typeof Execution.Type

export const stageOf = ({ at, stages }: Execution): ExecutionStage => stages[at]!
