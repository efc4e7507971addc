import { Context, type Effect, type Option } from "effect"
import type { ProjectId } from "../projects/index.ts"
import type { HistoryFilter } from "./HistoryFilter.ts"
import type { HistoryTransaction } from "./HistoryTransaction.ts"

export interface HistoryPage {
  readonly projectId: ProjectId
  readonly walletAddress: string
  readonly filter: HistoryFilter
  /** Transactions after this one in the order of the list; null for the first page. */
  readonly after: HistoryTransaction | null
  readonly take: number
}

/** Where transactions are kept. Newest first: by `createdAt`, then by id, both descending. */
export class HistoryStore extends Context.Service<
  HistoryStore,
  {
    readonly insert: (transaction: HistoryTransaction) => Effect.Effect<void>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<Option.Option<HistoryTransaction>>
    /** Replaces what is stored under the id; nothing where the project has no such transaction. */
    readonly update: (transaction: HistoryTransaction) => Effect.Effect<void>
    readonly list: (page: HistoryPage) => Effect.Effect<ReadonlyArray<HistoryTransaction>>
  }
>()("@countersign/core/history/HistoryStore") {}
