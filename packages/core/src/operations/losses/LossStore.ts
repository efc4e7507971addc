import { Context, type DateTime, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address, Hash32 } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { Loss, LossCause } from "./Loss.ts"

/** Losses of about the same time and of one cause, as one. */
export interface LossSum {
  readonly cause: LossCause
  /** The last of them. */
  readonly at: DateTime.Utc
  readonly count: number
  /** Millionths of a US dollar, without the losses whose price is unknown. */
  readonly usdE6: bigint
  readonly unpriced: number
}

/** A loss of one of an owner's wallets. */
export interface OwnerLoss extends LossSum {
  readonly walletAddress: Address
  readonly chainId: EvmChainId
}

/** A loss as it is kept. */
export interface KeptLoss {
  readonly loss: Loss
  /** Null where it counts. */
  readonly forgivenAt: DateTime.Utc | null
}

/** The losses on one chain. */
export interface ChainLosses {
  readonly chainId: EvmChainId
  readonly count: number
  readonly wei: bigint
  readonly usdE6: bigint
}

/** Gas that a paymaster has paid for an operation in a block, whether it was paid back or not. */
export interface GasCost {
  readonly chainId: EvmChainId
  /** The paymaster. */
  readonly payer: Address
  readonly wei: bigint
}

/** What a paymaster has paid since a UTC day, and the day of its first cost that is stored. */
export interface RecentCosts extends GasCost {
  readonly firstDay: DateTime.Utc
}

/** The losses to forgive: of a wallet or an owner in every project, or of a whole project. */
export type LossSubject =
  | { readonly _tag: "Wallet"; readonly address: Address }
  | { readonly _tag: "Owner"; readonly address: Address }
  | { readonly _tag: "Project"; readonly id: ProjectId }

/** An operation of a throttled wallet or owner that is about to be accepted. */
export interface TurnRequest {
  readonly projectId: ProjectId
  readonly scope: "wallet" | "owner"
  readonly address: Address
  /** The operation. It may ask again: a turn is for it until another takes the next. */
  readonly hash: Hash32
  readonly now: DateTime.Utc
  /** Only if the turn before was taken no later. */
  readonly lastBefore: DateTime.Utc
}

/** Where losses are kept, for all processes. Sums, turns and totals leave out what is forgiven. */
export class LossStore extends Context.Service<
  LossStore,
  {
    /**
     * Adds a loss. One of an operation and a cause that is there already takes its amount and keeps its time, and stays
     * forgiven.
     */
    readonly append: (loss: Loss) => Effect.Effect<void>
    /** Removes the loss of an operation that paid in the end. */
    readonly withdraw: (projectId: ProjectId, hash: Hash32, cause: LossCause) => Effect.Effect<void>
    /** The last losses of an owner within a project, newest first: 100 at most. */
    readonly ofOwner: (
      projectId: ProjectId,
      owner: Address,
      since: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<OwnerLoss>>
    /** All losses of a project since then, or of all projects, those of an hour and a cause as one. */
    readonly sums: (projectId: ProjectId | null, since: DateTime.Utc) => Effect.Effect<ReadonlyArray<LossSum>>
    /** True for one caller alone until the next turn, however many processes ask. False where there are no losses. */
    readonly takeTurn: (request: TurnRequest) => Effect.Effect<boolean>
    /** The last losses of a project or of all, forgiven ones too, newest first. */
    readonly listLatest: (projectId: ProjectId | null, limit: number) => Effect.Effect<ReadonlyArray<KeptLoss>>
    /** The losses since then, by chain; of one cause where it is given. */
    readonly totals: (since: DateTime.Utc, cause?: LossCause) => Effect.Effect<ReadonlyArray<ChainLosses>>
    /**
     * Adds the gas of an operation to the costs of its paymaster. An operation whose block a reorg replaced is added again, so that sums
     * are estimates. Costs older than 30 days are removed.
     */
    readonly recordCost: (
      cost: GasCost & { readonly operation: Hash32; readonly at: DateTime.Utc }
    ) => Effect.Effect<void>
    /** The costs of each paymaster since the start of a UTC day, rounded up to gwei for each operation. */
    readonly costs: (since: DateTime.Utc) => Effect.Effect<ReadonlyArray<RecentCosts>>
    /** Forgives what is not forgiven yet, and answers how many losses that were. */
    readonly forgive: (subject: LossSubject, at: DateTime.Utc) => Effect.Effect<number>
  }
>()("@countersign/core/losses/LossStore") {}
