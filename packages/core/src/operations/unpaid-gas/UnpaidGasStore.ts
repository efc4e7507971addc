import { Context, type DateTime, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address, Hash32 } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { UnpaidGasCause, UnpaidGasEntry } from "./UnpaidGasEntry.ts"

/** The sum of unpaid gas with one cause in about one hour. */
export interface UnpaidGasSum {
  readonly cause: UnpaidGasCause
  /** The time of the last entry. */
  readonly at: DateTime.Utc
  readonly count: number
  /** Millionths of a US dollar. Excludes entries with an unknown price. */
  readonly usdE6: bigint
  readonly unpriced: number
}

/** Unpaid gas of one wallet of an owner. */
export interface OwnerUnpaidGas extends UnpaidGasSum {
  readonly walletAddress: Address
  readonly chainId: EvmChainId
}

/** A stored entry of unpaid gas. */
export interface StoredGasEntry {
  readonly gasEntry: UnpaidGasEntry
  /** Null if the entry is not forgiven. */
  readonly forgivenAt: DateTime.Utc | null
}

/** Total unpaid gas on one chain. */
export interface ChainUnpaidGas {
  readonly chainId: EvmChainId
  readonly count: number
  readonly wei: bigint
  readonly usdE6: bigint
}

/** Gas that a paymaster has paid for an included operation, reimbursed or not. */
export interface GasCost {
  readonly chainId: EvmChainId
  /** The paymaster's address. */
  readonly payer: Address
  readonly wei: bigint
}

/** A paymaster's costs since a UTC day, and the day of its first stored cost. */
export interface RecentCosts extends GasCost {
  readonly firstDay: DateTime.Utc
}

/** Selects the unpaid gas to forgive: of a wallet or an owner in every project, or of a complete project. */
export type UnpaidGasSubject =
  | { readonly _tag: "Wallet"; readonly address: Address }
  | { readonly _tag: "Owner"; readonly address: Address }
  | { readonly _tag: "Project"; readonly id: ProjectId }

/** Requests a turn for an operation of a throttled wallet or owner, before the operation is accepted. */
export interface ThrottleRequest {
  readonly projectId: ProjectId
  readonly scope: "wallet" | "owner"
  readonly address: Address
  /** The hash of the operation. Repeated requests with it keep the turn, until another operation gets the next turn. */
  readonly hash: Hash32
  readonly now: DateTime.Utc
  /** A request for another operation succeeds only if the previous turn began at this time or earlier. */
  readonly lastBefore: DateTime.Utc
}

/** Stores unpaid gas. All processes share it. `listByOwner`, sums, turns and totals exclude forgiven entries. */
export class UnpaidGasStore extends Context.Service<
  UnpaidGasStore,
  {
    /**
     * Adds an entry. If the operation already has an entry with the same cause, only replaces its amount, and keeps its
     * time and whether it is forgiven.
     */
    readonly record: (gasEntry: UnpaidGasEntry) => Effect.Effect<void>
    /** Deletes an operation's entry, because its gas was paid, or because no block includes the operation. */
    readonly remove: (projectId: ProjectId, hash: Hash32, cause: UnpaidGasCause) => Effect.Effect<void>
    /** Returns the latest entries of an owner within a project, newest first, at most 100. */
    readonly listByOwner: (
      projectId: ProjectId,
      owner: Address,
      since: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<OwnerUnpaidGas>>
    /** Returns the sums since a time, of a project or of all projects, by hour and cause. */
    readonly readSums: (projectId: ProjectId | null, since: DateTime.Utc) => Effect.Effect<ReadonlyArray<UnpaidGasSum>>
    /**
     * Requests a turn. Returns true to one operation among all processes, until the next turn is due. Returns false if
     * there is no unpaid gas.
     */
    readonly claimThrottleSlot: (request: ThrottleRequest) => Effect.Effect<boolean>
    /** Returns the latest entries of a project or of all projects, newest first, including forgiven ones. */
    readonly listLatest: (projectId: ProjectId | null, limit: number) => Effect.Effect<ReadonlyArray<StoredGasEntry>>
    /** Returns the totals since a time by chain, of one cause or of all. */
    readonly readTotals: (since: DateTime.Utc, cause?: UnpaidGasCause) => Effect.Effect<ReadonlyArray<ChainUnpaidGas>>
    /**
     * Adds the gas of an operation to the costs of its paymaster. If a reorg replaces the block, the operation is added
     * again, so the sums are estimates. Deletes costs older than 30 days.
     */
    readonly recordCost: (
      cost: GasCost & { readonly operation: Hash32; readonly at: DateTime.Utc }
    ) => Effect.Effect<void>
    /**
     * Returns the costs of each paymaster since the start of a UTC day. The cost of each operation is rounded up to
     * gwei.
     */
    readonly readCosts: (since: DateTime.Utc) => Effect.Effect<ReadonlyArray<RecentCosts>>
    /** Forgives entries that are not forgiven yet. Returns their number. */
    readonly forgive: (subject: UnpaidGasSubject, at: DateTime.Utc) => Effect.Effect<number>
  }
>()("@countersign/core/unpaid-gas/UnpaidGasStore") {}
