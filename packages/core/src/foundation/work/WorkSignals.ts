import { Clock, Context, Effect } from "effect"

/** Kinds of stored work that workers wait for. */
export const workKinds = [
  "EXECUTIONS",
  /** Executions that were just accepted or that changed their stage. */
  "NEW_EXECUTIONS",
  "WEBHOOK_DELIVERIES",
  "TAX_RUNS",
  "CHAINS",
  /** Wallets or transfers that are new to the chain watchers. */
  "CHAIN_ACTIVITY",
  "POOLS",
  "LOANS",
  "OPERATOR_TRANSACTIONS",
  "PROVIDER_REGISTRATIONS",
  "VERIFICATION_SESSIONS"
] as const
export type WorkKind = (typeof workKinds)[number]

/**
 * Wakes workers when stored work is due, so that they need not poll the database. A signal is only a hint: the database
 * decides which worker receives the work. A worker that finds no work waits again.
 */
export class WorkSignals extends Context.Service<
  WorkSignals,
  {
    /** Announces work that is due at an instant, in epoch milliseconds. Call this after the work is committed. */
    readonly announce: (kind: WorkKind, dueAtMs: number) => Effect.Effect<void>
    /**
     * Waits until work may be due. One waiting worker takes all signals that are due. The first call returns
     * immediately.
     */
    readonly await: (kind: WorkKind) => Effect.Effect<void>
    /** Works like `await`, but returns immediately. Returns false if no work can be due. */
    readonly take: (kind: WorkKind) => Effect.Effect<boolean>
    /** Returns the number of announcements so far. A reader of stored data compares two counts to detect changes. */
    readonly count: (kind: WorkKind) => number
  }
>()("@countersign/core/foundation/work/WorkSignals") {}

/** Unit in milliseconds to which future instants are rounded up. This limits the number of stored instants. */
const TICK_MS = 10

interface SignalState {
  /** Instants at which work is due, in epoch milliseconds, at most `lookAheadMs` in the future. */
  readonly due: Set<number>
  readonly waiting: Set<() => void>
  count: number
}

export interface WorkSignalsOptions {
  /**
   * How far in the future a stored instant may be, in milliseconds. Later instants are not stored, and the caller
   * announces them again.
   */
  readonly lookAheadMs?: number
  /** Called for work that this process announces while none of its workers waits for such work. */
  readonly onUnattended?: (kind: WorkKind, dueAtMs: number) => void
}

export interface ProcessSignals {
  readonly signals: WorkSignals["Service"]
  /** Announces work that another process has announced or stored. */
  readonly announceRemote: (kind: WorkKind, dueAtMs: number) => Effect.Effect<void>
}

/** Creates the signals of one process. */
export const processSignals = ({
  lookAheadMs = Number.POSITIVE_INFINITY,
  onUnattended
}: WorkSignalsOptions = {}): ProcessSignals => {
  // Work of earlier processes may be due at startup.
  const stateByKind = new Map(
    workKinds.map((kind): [WorkKind, SignalState] => [kind, { due: new Set([0]), waiting: new Set(), count: 0 }])
  )

  const takeDueSignals = (kind: WorkKind, nowMs: number): boolean => {
    const { due } = stateByKind.get(kind)!
    let isDue = false
    for (const dueMs of due) {
      if (dueMs > nowMs) continue
      due.delete(dueMs)
      isDue = true
    }
    return isDue
  }

  const awaitChangeAfter = (kind: WorkKind, count: number) =>
    Effect.callback<void>((resume) => {
      const waits = stateByKind.get(kind)!
      if (waits.count !== count) return resume(Effect.void)
      const wake = () => {
        waits.waiting.delete(wake)
        resume(Effect.void)
      }
      waits.waiting.add(wake)
      return Effect.sync(() => waits.waiting.delete(wake))
    })

  const signal = (kind: WorkKind, dueAtMs: number, isOwn: boolean) =>
    Effect.map(Clock.currentTimeMillis, (nowMs) => {
      if (dueAtMs > nowMs + lookAheadMs) return
      const waits = stateByKind.get(kind)!
      waits.due.add(dueAtMs <= nowMs ? 0 : Math.ceil(dueAtMs / TICK_MS) * TICK_MS)
      waits.count += 1
      if (isOwn && waits.waiting.size === 0) onUnattended?.(kind, dueAtMs)
      // A copy, because a woken worker that finds no work waits again, and is then added to the set.
      for (const wake of [...waits.waiting]) wake()
    })

  const signals = WorkSignals.of({
    announce: (kind, dueAtMs) => signal(kind, dueAtMs, true),
    await: Effect.fnUntraced(function* (kind) {
      const waits = stateByKind.get(kind)!
      for (;;) {
        const { count } = waits
        const nowMs = yield* Clock.currentTimeMillis
        if (takeDueSignals(kind, nowMs)) return
        const awaitChange = awaitChangeAfter(kind, count)
        const untilDueMs = Math.min(...waits.due) - nowMs
        yield* untilDueMs === Number.POSITIVE_INFINITY
          ? awaitChange
          : Effect.raceFirst(awaitChange, Effect.sleep(untilDueMs))
      }
    }),
    take: (kind) => Effect.map(Clock.currentTimeMillis, (nowMs) => takeDueSignals(kind, nowMs)),
    count: (kind) => stateByKind.get(kind)!.count
  })
  return { signals, announceRemote: (kind, dueAtMs) => signal(kind, dueAtMs, false) }
}
