import { Context, type DateTime, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address, Hash32 } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { Loss, LossCause } from "./Loss.ts"

/** The sum of unpaid gas with one cause, in about one hour. */
export interface LossSum {
  readonly cause: LossCause
  /** The time of the last entry. */
  readonly at: DateTime.Utc
  readonly count: number
  /** Millionths of a US dollar. Entries with an unknown price are excluded. */
  readonly usdE6: bigint
  readonly unpriced: number
}

/** Unpaid gas of one wallet of an owner. */
export interface OwnerLoss extends LossSum {
  readonly walletAddress: Address
  readonly chainId: EvmChainId
}

/** A stored entry of unpaid gas. */
export interface KeptLoss {
  readonly loss: Loss
  /** Null if the entry counts. */
  readonly forgivenAt: DateTime.Utc | null
}

/** The unpaid gas on one chain. */
export interface ChainLosses {
  readonly chainId: EvmChainId
  readonly count: number
  readonly wei: bigint
  readonly usdE6: bigint
}

/** Gas that a paymaster has paid for an included operation, whether or not the paymaster was reimbursed. */
export interface GasCost {
  readonly chainId: EvmChainId
  /** The paymaster. */
  readonly payer: Address
  readonly wei: bigint
}

/** A paymaster's costs since a UTC day, with the day of its first stored cost. */
export interface RecentCosts extends GasCost {
  readonly firstDay: DateTime.Utc
}

/** Selects the unpaid gas to forgive: of a wallet or an owner in every project, or of a whole project. */
export type LossSubject =
  | { readonly _tag: "Wallet"; readonly address: Address }
  | { readonly _tag: "Owner"; readonly address: Address }
  | { readonly _tag: "Project"; readonly id: ProjectId }

/** Requests a turn for an operation of a throttled wallet or owner, before the acceptance. */
export interface TurnRequest {
  readonly projectId: ProjectId
  readonly scope: "wallet" | "owner"
  readonly address: Address
  /** The operation. Repeated requests with it keep the turn, until another operation gets the next turn. */
  readonly hash: Hash32
  readonly now: DateTime.Utc
  /** Succeeds only if the previous turn began at this time or earlier. */
  readonly lastBefore: DateTime.Utc
}

/** Stores unpaid gas. All processes share it. Sums, turns and totals exclude forgiven entries. */
export class LossStore extends Context.Service<
  LossStore,
  {
    /**
     * Adds an entry. If the operation has an entry with the same cause, only its amount is replaced; its time and
     * forgiveness stay.
     */
    readonly append: (loss: Loss) => Effect.Effect<void>
    /** Removes the entry of an operation whose gas was paid later. */
    readonly withdraw: (projectId: ProjectId, hash: Hash32, cause: LossCause) => Effect.Effect<void>
    /** The latest entries of an owner within a project, newest first, at most 100. */
    readonly ofOwner: (
      projectId: ProjectId,
      owner: Address,
      since: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<OwnerLoss>>
    /** The sums since an instant, of a project or of all projects, by hour and cause. */
    readonly sums: (projectId: ProjectId | null, since: DateTime.Utc) => Effect.Effect<ReadonlyArray<LossSum>>
    /** Returns true for only one caller in all processes until the next turn. Returns false without unpaid gas. */
    readonly takeTurn: (request: TurnRequest) => Effect.Effect<boolean>
    /** The latest entries of a project or of all projects, newest first, including forgiven ones. */
    readonly listLatest: (projectId: ProjectId | null, limit: number) => Effect.Effect<ReadonlyArray<KeptLoss>>
    /** The totals since an instant, by chain. If a cause is given, only entries with this cause. */
    readonly totals: (since: DateTime.Utc, cause?: LossCause) => Effect.Effect<ReadonlyArray<ChainLosses>>
    /**
     * Adds the gas of an operation to the costs of its paymaster. If a reorg replaces the block, the operation is added
     * again, so sums are estimates. Costs older than 30 days are removed.
     */
    readonly recordCost: (
      cost: GasCost & { readonly operation: Hash32; readonly at: DateTime.Utc }
    ) => Effect.Effect<void>
    /** The costs of each paymaster since the beginning of a UTC day, rounded up to gwei per operation. */
    readonly costs: (since: DateTime.Utc) => Effect.Effect<ReadonlyArray<RecentCosts>>
    /** Forgives entries that are not forgiven yet. Returns their number. */
    readonly forgive: (subject: LossSubject, at: DateTime.Utc) => Effect.Effect<number>
  }
>()("@countersign/core/losses/LossStore") {}
