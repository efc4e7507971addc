import { Context, type Effect } from "effect"
import type { Transaction } from "../../accounting/history/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Intent } from "../intents/index.ts"
import type { Quote } from "../quotes/index.ts"
import type { Execution, ExecutionStage, WaitsFor } from "./Execution.ts"

/** An execution, as its current stage sees it. */
export interface Work {
  readonly execution: Execution
  readonly quote: Quote
  readonly stage: ExecutionStage
  /** The intent that the stage executes; null if there is none. */
  readonly intent: Intent | null
  /** The current state of the transaction in the wallet's history. */
  readonly transaction: Effect.Effect<Transaction>
  /** Whether the stage's deadline has passed. Then the stage must end instead of wait. */
  readonly isOverdue: boolean
}

/** A stage's change of the transaction. The transaction already has the status of the next stage. */
export type Change = (transaction: Transaction) => Transaction

/** The result of one check of an execution. */
export type Step =
  /** Nothing has changed. The stage checks again after the delay. */
  | { readonly _tag: "Wait"; readonly afterMs: number }
  /** The state of the stage has changed. The execution stays in the stage. */
  | {
      readonly _tag: "Stay"
      readonly state: string
      readonly change: Change
      readonly afterMs: number
      /** From now on, a wait of any length is normal in this stage. */
      readonly isOpenEnded?: boolean
      /** Other changes that are stored in the same unit of work. */
      readonly also?: Effect.Effect<void>
    }
  /**
   * The stage is complete. The execution continues with the next stage, or with the stage `to`. It ends after the last
   * stage, and if `to` is not planned.
   */
  | {
      readonly _tag: "Next"
      readonly to?: string
      readonly change: Change
      readonly afterMs?: number
      /** False if no visible field changes. Then there is no event. */
      readonly isReported?: boolean
      /** A wait of any length is normal in that stage. */
      readonly isOpenEnded?: boolean
      /** Other changes that are stored in the same unit of work. */
      readonly also?: Effect.Effect<void>
    }
  /** The result of an earlier stage was undone, so its stage continues. Each stage keeps its last state. */
  | { readonly _tag: "Back"; readonly to: number; readonly change: Change }
  /** The execution has ended. */
  | {
      readonly _tag: "End"
      readonly change: Change
      /** Other changes that are stored in the same unit of work. */
      readonly also?: Effect.Effect<void>
    }
  /** Ends the execution without an event, because no visible field changes. */
  | { readonly _tag: "Settle"; readonly change: Change }

/** The description of a stage in metrics, alerts and `doctor`. */
export interface StageDescription {
  /** The name of the stage in quotes, stored executions and metrics. */
  readonly name: string
  readonly waitsFor: WaitsFor
  /** What the stage waits for, as a noun phrase, such as "a block with the operation". */
  readonly awaited: string
  /** Maximum normal wait in milliseconds. A longer wait raises an alert. Null if a wait of any length is normal. */
  readonly normalMs: number | null
}

/** Handles the executions in this stage, one check at a time. */
export interface Stage extends StageDescription {
  /** Maximum wait after the stage begins, in milliseconds; null if its wait is not limited. */
  readonly patienceMs: number | null
  readonly step: (work: Work) => Effect.Effect<Step, UpstreamUnavailable>
}

/** All stages. A feature with a new kind of wait registers a stage. */
export class Stages extends Context.Service<Stages, ReadonlyArray<Stage>>()("@countersign/core/executions/Stages") {}
