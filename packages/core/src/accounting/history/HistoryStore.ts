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
  /** Transactions after this one in the order of the list; null for the first page. */
  readonly after: Transaction | null
  readonly take: number
}

/** A movement with its place in the history. */
export interface RecordedMovement {
  readonly transactionId: string
  /** Of the movement in its transaction. */
  readonly position: number
  readonly type: TransactionType
  /** When the transaction ended, or changed last while it is under way. */
  readonly at: DateTime.Utc
  /** The block of its leg; null where it is in none. */
  readonly blockNumber: bigint | null
  /** When its transaction was created. */
  readonly createdAt: DateTime.Utc
  readonly movement: Movement
}

export interface MovementPage {
  readonly projectId: ProjectId
  /** The account whose balance changed, in transactions of any wallet of the project. */
  readonly account: WalletAddress
  /** Movements after this one in the order of the list; null for the first page. */
  readonly after: RecordedMovement | null
  readonly take: number
}

/** Where transactions are kept. Newest first: by `createdAt`, then by id, both descending. */
export class HistoryStore extends Context.Service<
  HistoryStore,
  {
    readonly insert: (transaction: Transaction) => Effect.Effect<void>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<Option.Option<Transaction>>
    /** The transactions of these ids that the project has, in no order. */
    readonly findAll: (projectId: ProjectId, ids: ReadonlySet<string>) => Effect.Effect<ReadonlyArray<Transaction>>
    /** Replaces what is stored under the id; nothing where the project has no such transaction. */
    readonly update: (transaction: Transaction) => Effect.Effect<void>
    readonly list: (page: HistoryPage) => Effect.Effect<ReadonlyArray<Transaction>>
    /** The latest failed transactions of a project, of any wallet. */
    readonly listFailed: (projectId: ProjectId, limit: number) => Effect.Effect<ReadonlyArray<Transaction>>
    /**
     * Oldest first: by `at`, then by transaction and position. Those of tokens that were not listed when they were found are
     * left out: what anybody sends is no profit, and nothing to be taxed.
     */
    readonly movements: (page: MovementPage) => Effect.Effect<ReadonlyArray<RecordedMovement>>
  }
>()("@countersign/core/history/HistoryStore") {}
