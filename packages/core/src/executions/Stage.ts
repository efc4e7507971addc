import { Context, type Effect } from "effect"
import type { UpstreamUnavailable } from "../errors/index.ts"
import type { Transaction } from "../history/index.ts"
import type { Intent } from "../intents/index.ts"
import type { Quote } from "../quotes/index.ts"
import type { Execution, ExecutionStage } from "./Execution.ts"

/** An execution as the stage that it is in sees it. */
export interface Work {
  readonly execution: Execution
  readonly quote: Quote
  readonly stage: ExecutionStage
  /** What the stage brings about; null where it is about no intent. */
  readonly intent: Intent | null
  /** How it stands in the wallet's history by now. */
  readonly transaction: Effect.Effect<Transaction>
  /** Whether the stage's deadline is over: then it finds out how to end instead of waiting. */
  readonly isOverdue: boolean
}

/** What a stage makes of the transaction. Its status is set already to that of the stage that comes. */
export type Change = (transaction: Transaction) => Transaction

/** What a look at an execution comes to. */
export type Step =
  /** Nothing to tell: look again after a while. */
  | { readonly _tag: "Wait"; readonly afterMs: number }
  /** Something happened, and the stage goes on with this state. */
  | { readonly _tag: "Stay"; readonly state: string; readonly change: Change; readonly afterMs: number }
  /**
   * The stage is over: on to the next, or to the one named; to the end where none is planned under that name. After the
   * last there is none, and the execution has ended.
   */
  | {
      readonly _tag: "Next"
      readonly to?: string
      readonly change: Change
      readonly afterMs?: number
      /** What else is written down with it, or not at all. */
      readonly also?: Effect.Effect<void>
    }
  /** What an earlier stage had brought about is undone: on from there. Each stage still has the state that it left. */
  | { readonly _tag: "Back"; readonly to: number; readonly change: Change }
  /** The execution is over. */
  | { readonly _tag: "End"; readonly change: Change }
  /** The same where nothing that is shown changes, so that nobody is told. */
  | { readonly _tag: "Settle"; readonly change: Change }

/** Follows the executions that are in it, one look at a time. */
export interface Stage {
  /** Under which quotes plan it and executions are stored. */
  readonly name: string
  /** How long it waits from when it is entered; null where it may wait for good. */
  readonly patienceMs: number | null
  readonly step: (work: Work) => Effect.Effect<Step, UpstreamUnavailable>
}

/** Every stage that the service knows. A feature that waits for something new adds its own. */
export class Stages extends Context.Service<Stages, ReadonlyArray<Stage>>()("@countersign/core/executions/Stages") {}
