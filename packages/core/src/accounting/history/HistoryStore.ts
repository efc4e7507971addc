import { Context, type DateTime, type Effect, type Option } from "effect"
import type { WalletAddress } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { HistoryFilter } from "./HistoryFilter.ts"
import type { Movement } from "./Movement.ts"
import type { Transaction, TransactionType } from "./Transaction.ts"

export interface HistoryPage {
  readonly projectId: ProjectId
  readonly walletAddress: WalletAddress
  readonly filter: HistoryFilter
  /** The last transaction of the previous page. Null for the first page. */
  readonly after: Transaction | null
  readonly take: number
}

/** A movement and its position in the history. */
export interface RecordedMovement {
  readonly transactionId: string
  /** The index of the movement in its transaction. */
  readonly position: number
  readonly type: TransactionType
  /** For a transaction that has ended, the time of its end. For a pending one, the time of its last change. */
  readonly at: DateTime.Utc
  /** The block that includes the movement's leg. Null while no block does. */
  readonly blockNumber: bigint | null
  /** Creation time of the transaction. */
  readonly createdAt: DateTime.Utc
  readonly movement: Movement
}

export interface MovementPage {
  readonly projectId: ProjectId
  /** The account whose balance changed. The search covers the transactions of all wallets of the project. */
  readonly account: WalletAddress
  /** The last movement of the previous page. Null for the first page. */
  readonly after: RecordedMovement | null
  readonly take: number
}

/** Stores transactions. `list` returns the latest first: sorted by `createdAt`, then by id, both descending. */
export class HistoryStore extends Context.Service<
  HistoryStore,
  {
    readonly insert: (transaction: Transaction) => Effect.Effect<void>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<Option.Option<Transaction>>
    /** Returns the project's transactions with these ids, in any order. */
    readonly findAll: (projectId: ProjectId, ids: ReadonlySet<string>) => Effect.Effect<ReadonlyArray<Transaction>>
    /** Replaces the stored transaction with the same id. Does nothing if the project has no such transaction. */
    readonly update: (transaction: Transaction) => Effect.Effect<void>
    readonly list: (page: HistoryPage) => Effect.Effect<ReadonlyArray<Transaction>>
    /** Returns the latest failed transactions of all wallets of a project. */
    readonly listFailed: (projectId: ProjectId, limit: number) => Effect.Effect<ReadonlyArray<Transaction>>
    /**
     * Returns movements sorted by `at`, then by transaction and position, oldest first. Omits detected transfers of
     * tokens that were unlisted at the time, because spam is neither profit nor taxable.
     */
    readonly listMovements: (page: MovementPage) => Effect.Effect<ReadonlyArray<RecordedMovement>>
  }
>()("@countersign/core/history/HistoryStore") {}
