import { Context, type Effect } from "effect"
import type { Transaction } from "../../accounting/history/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Intent } from "../intents/index.ts"
import type { Quote } from "../quotes/index.ts"
import type { Execution, ExecutionStage, WaitsFor } from "./Execution.ts"

/** An execution from the view of its current stage. */
export interface Work {
  readonly execution: Execution
  readonly quote: Quote
  readonly stage: ExecutionStage
  /** The intent that the stage executes; null if there is none. */
  readonly intent: Intent | null
  /** Its current state in the wallet's history. */
  readonly transaction: Effect.Effect<Transaction>
  /** Whether the stage's deadline has passed: then it decides how to end instead of waiting. */
  readonly isOverdue: boolean
}

/** How a stage changes the transaction. The status is already that of the next stage. */
export type Change = (transaction: Transaction) => Transaction

/** The result of one check of an execution. */
export type Step =
  /** Nothing changed: check again later. */
  | { readonly _tag: "Wait"; readonly afterMs: number }
  /** The state has changed. The stage continues with it. */
  | {
      readonly _tag: "Stay"
      readonly state: string
      readonly change: Change
      readonly afterMs: number
      /** From now on any length of the wait in the stage is normal. */
      readonly isOpenEnded?: boolean
      /** Other changes that are stored in the same unit of work. */
      readonly also?: Effect.Effect<void>
    }
  /**
   * The stage is complete: continues with the next one, or the named one. Ends the execution after the last stage, or
   * if the named one is not planned.
   */
  | {
      readonly _tag: "Next"
      readonly to?: string
      readonly change: Change
      readonly afterMs?: number
      /** False if no visible field changes, so that there is no event. */
      readonly isReported?: boolean
      /** Any length of the wait in that stage is normal. */
      readonly isOpenEnded?: boolean
      /** Other changes that are stored in the same unit of work. */
      readonly also?: Effect.Effect<void>
    }
  /** The result of an earlier stage was undone: continue from there. Each stage keeps its last state. */
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

/** A stage as described by metrics, alerts and `doctor`. */
export interface StageDescription {
  /** The name in quotes, stored executions and metrics. */
  readonly name: string
  readonly waitsFor: WaitsFor
  /** What it waits for, as a noun phrase: "a block with the operation". */
  readonly awaited: string
  /** Maximum length of a normal wait in milliseconds. A longer one raises an alert. Null if any length is normal. */
  readonly normalMs: number | null
}

/** Handles the executions in this stage, one check at a time. */
export interface Stage extends StageDescription {
  /** How long it waits after it begins; null if it may wait without limit. */
  readonly patienceMs: number | null
  readonly step: (work: Work) => Effect.Effect<Step, UpstreamUnavailable>
}

/** All registered stages. A feature with a new kind of wait adds its own. */
export class Stages extends Context.Service<Stages, ReadonlyArray<Stage>>()("@countersign/core/executions/Stages") {}
