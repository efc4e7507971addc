import { Context, type DateTime, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address, Hash32 } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { Loss, LossCause } from "./Loss.ts"

/** The sum of unpaid gas of about the same time and one cause. */
export interface LossSum {
  readonly cause: LossCause
  /** The time of the last of them. */
  readonly at: DateTime.Utc
  readonly count: number
  /** Millionths of a US dollar, without entries of unknown price. */
  readonly usdE6: bigint
  readonly unpriced: number
}

/** Unpaid gas of one of an owner's wallets. */
export interface OwnerLoss extends LossSum {
  readonly walletAddress: Address
  readonly chainId: EvmChainId
}

/** A stored entry of unpaid gas. */
export interface KeptLoss {
  readonly loss: Loss
  /** Null if it counts. */
  readonly forgivenAt: DateTime.Utc | null
}

/** The unpaid gas on one chain. */
export interface ChainLosses {
  readonly chainId: EvmChainId
  readonly count: number
  readonly wei: bigint
  readonly usdE6: bigint
}

/** Gas that a paymaster has paid for an included operation, whether it was paid for it or not. */
export interface GasCost {
  readonly chainId: EvmChainId
  /** The paymaster. */
  readonly payer: Address
  readonly wei: bigint
}

/** A paymaster's costs since a UTC day, and the day of its first stored cost. */
export interface RecentCosts extends GasCost {
  readonly firstDay: DateTime.Utc
}

/** The unpaid gas to forgive: of a wallet or an owner in every project, or of a whole project. */
export type LossSubject =
  | { readonly _tag: "Wallet"; readonly address: Address }
  | { readonly _tag: "Owner"; readonly address: Address }
  | { readonly _tag: "Project"; readonly id: ProjectId }

/** An operation of a throttled wallet or owner, before its acceptance. */
export interface TurnRequest {
  readonly projectId: ProjectId
  readonly scope: "wallet" | "owner"
  readonly address: Address
  /** The operation. Repeated requests keep its turn until another operation takes the next one. */
  readonly hash: Hash32
  readonly now: DateTime.Utc
  /** Succeeds only if the previous turn was not taken later than this. */
  readonly lastBefore: DateTime.Utc
}

/** Stores unpaid gas. Shared by all processes. Sums, turns and totals exclude forgiven entries. */
export class LossStore extends Context.Service<
  LossStore,
  {
    /**
     * Adds an entry. An existing entry of the same operation and cause gets its amount, and keeps its time and whether
     * it is forgiven.
     */
    readonly append: (loss: Loss) => Effect.Effect<void>
    /** Removes the entry of an operation that paid in the end. */
    readonly withdraw: (projectId: ProjectId, hash: Hash32, cause: LossCause) => Effect.Effect<void>
    /** The latest entries of an owner within a project, newest first: at most 100. */
    readonly ofOwner: (
      projectId: ProjectId,
      owner: Address,
      since: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<OwnerLoss>>
    /** The sums since then of a project or of all projects, by hour and cause. */
    readonly sums: (projectId: ProjectId | null, since: DateTime.Utc) => Effect.Effect<ReadonlyArray<LossSum>>
    /** Returns true for one caller only until the next turn, in all processes. Returns false without unpaid gas. */
    readonly takeTurn: (request: TurnRequest) => Effect.Effect<boolean>
    /** The latest entries of a project or of all, including forgiven ones, newest first. */
    readonly listLatest: (projectId: ProjectId | null, limit: number) => Effect.Effect<ReadonlyArray<KeptLoss>>
    /** The totals since then, by chain; only of one cause if it is given. */
    readonly totals: (since: DateTime.Utc, cause?: LossCause) => Effect.Effect<ReadonlyArray<ChainLosses>>
    /**
     * Adds the gas of an operation to the costs of its paymaster. An operation whose block a reorg replaced is added again, so that sums
     * are estimates. Costs older than 30 days are removed.
     */
    readonly recordCost: (
      cost: GasCost & { readonly operation: Hash32; readonly at: DateTime.Utc }
    ) => Effect.Effect<void>
    /** The costs of each paymaster since the start of a UTC day, rounded up to gwei per operation. */
    readonly costs: (since: DateTime.Utc) => Effect.Effect<ReadonlyArray<RecentCosts>>
    /** Forgives entries that are not forgiven yet, and returns their number. */
    readonly forgive: (subject: LossSubject, at: DateTime.Utc) => Effect.Effect<number>
  }
>()("@countersign/core/losses/LossStore") {}
