import { Context, type Effect, type Option } from "effect"
import type { WalletAddress } from "../primitives/index.ts"
import type { ProjectId } from "../projects/index.ts"
import type { HistoryFilter } from "./HistoryFilter.ts"
import type { Transaction } from "./Transaction.ts"

export interface HistoryPage {
  readonly projectId: ProjectId
  readonly walletAddress: WalletAddress
  readonly filter: HistoryFilter
  /** Transactions after this one in the order of the list; null for the first page. */
  readonly after: Transaction | null
  readonly take: number
}

/** Where transactions are kept. Newest first: by `createdAt`, then by id, both descending. */
export class HistoryStore extends Context.Service<
  HistoryStore,
  {
    readonly insert: (transaction: Transaction) => Effect.Effect<void>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<Option.Option<Transaction>>
    /** Replaces what is stored under the id; nothing where the project has no such transaction. */
    readonly update: (transaction: Transaction) => Effect.Effect<void>
    readonly list: (page: HistoryPage) => Effect.Effect<ReadonlyArray<Transaction>>
  }
>()("@countersign/core/history/HistoryStore") {}
