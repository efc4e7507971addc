import { Context, type Effect } from "effect"
import type { Transaction } from "../../accounting/history/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Intent } from "../intents/index.ts"
import type { Quote } from "../quotes/index.ts"
import type { Execution, ExecutionStage, WaitsFor } from "./Execution.ts"

/** An execution, as its current stage receives it. */
export interface Work {
  readonly execution: Execution
  readonly quote: Quote
  readonly stage: ExecutionStage
  /** The intent that the stage executes. Null if the stage has none. */
  readonly intent: Intent | null
  /** Reads the current transaction from the wallet's history. */
  readonly transaction: Effect.Effect<Transaction>
  /**
   * Whether the stage's deadline has passed. The stage then ends, unless the chain may still execute what it waits for.
   */
  readonly isOverdue: boolean
}

/** A stage's change of the transaction. Its argument already has the status of the next stage. */
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
      /** If false, the change emits no event. Default: true. */
      readonly isReported?: boolean
      /** Other changes that are stored in the same unit of work. */
      readonly also?: Effect.Effect<void>
    }
  /**
   * The stage is complete. The execution continues with the next stage, or with the stage `to`. The execution ends
   * after the last stage, or if no later stage is named `to`.
   */
  | {
      readonly _tag: "Next"
      readonly to?: string
      readonly change: Change
      readonly afterMs?: number
      /** False if no visible field changes, so that no event is sent. */
      readonly isReported?: boolean
      /** If true, a wait of any length is normal in that stage. */
      readonly isOpenEnded?: boolean
      /** Other changes that are stored in the same unit of work. */
      readonly also?: Effect.Effect<void>
    }
  /** A reorg undid the result of an earlier stage, so the execution returns to it. Each stage keeps its last state. */
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

/** Checks executions in this stage. Each call of `step` runs one check of one execution. */
export interface Stage extends StageDescription {
  /** Maximum wait in milliseconds after the execution enters the stage. Null if there is no limit. */
  readonly patienceMs: number | null
  readonly step: (work: Work) => Effect.Effect<Step, UpstreamUnavailable>
}

/** All stages. A feature that waits for a new type of event registers a stage. */
export class Stages extends Context.Service<Stages, ReadonlyArray<Stage>>()("@countersign/core/executions/Stages") {}
