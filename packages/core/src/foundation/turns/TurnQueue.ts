import { type Contender, nextTurn, type TurnLimits } from "./nextTurn.ts"

/** A piece of work, from its request for a turn until its end. */
export interface Work {
  readonly project: string
  readonly effort: number
  state: "WAITING" | "AT_WORK" | "OVER"
  /** Called once, when the work may start. */
  begin: () => void
}

interface ProjectQueue {
  atWork: number
  readonly waiting: Set<Work>
  /** Total cost of the waiting work. */
  waitingEffort: number
  /** The last time at which the project had work, in epoch milliseconds. */
  seenAtMs: number
}

/**
 * Duration in milliseconds after a project's last work during which the project still counts as present. It covers
 * pauses between sequential requests.
 */
const PRESENCE_MS = 5_000

/** The running and waiting work of projects. */
export class TurnQueue {
  readonly #limits: TurnLimits
  /** Keyed by project, sorted by last turn, oldest first. */
  readonly #lines = new Map<string, ProjectQueue>()

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /**
   * Adds work, which starts or waits. Null if too much of the project's work is waiting. Otherwise the caller must call
   * `leave` when the work ends.
   */
  join(project: string, effort: number, nowMs: number): Work | null {
    const line = this.#lines.get(project) ?? { atWork: 0, waiting: new Set(), waitingEffort: 0, seenAtMs: nowMs }
    if (line.waiting.size > 0 && line.waitingEffort + effort > this.#limits.waitingMax) return null
    const work: Work = { project, effort, state: "WAITING", begin: () => undefined }
    line.waiting.add(work)
    line.waitingEffort += effort
    this.#lines.set(project, line)
    this.#goOn(nowMs)
    return work
  }

  /** Removes work, whether it has started or not, and starts waiting work. */
  leave(work: Work, nowMs: number): void {
    const line = this.#lines.get(work.project)
    if (line === undefined || work.state === "OVER") return
    if (work.state === "AT_WORK") line.atWork -= work.effort
    else this.#stopWaiting(line, work)
    work.state = "OVER"
    line.seenAtMs = nowMs
    this.#goOn(nowMs)
  }

  #stopWaiting(line: ProjectQueue, work: Work): void {
    line.waiting.delete(work)
    line.waitingEffort -= work.effort
  }

  #removeAbsent(nowMs: number): void {
    for (const [project, { atWork, seenAtMs, waiting }] of this.#lines) {
      const isAbsent = atWork === 0 && waiting.size === 0 && nowMs - seenAtMs > PRESENCE_MS
      if (isAbsent) this.#lines.delete(project)
    }
  }

  *#contenders(): Iterable<Contender> {
    for (const [project, { atWork, waiting }] of this.#lines) {
      const [first] = waiting
      if (first !== undefined) yield { project, atWork, effort: first.effort }
    }
  }

  #workload() {
    const lines = [...this.#lines.values()]
    return {
      atWork: lines.reduce((sum, { atWork }) => sum + atWork, 0),
      projectsAtWork: lines.filter(({ atWork }) => atWork > 0).length,
      projectsPresent: lines.length
    }
  }

  #goOn(nowMs: number): void {
    this.#removeAbsent(nowMs)
    for (;;) {
      const next = nextTurn(this.#contenders(), this.#workload(), this.#limits)
      if (next === null) return
      const line = this.#lines.get(next.project)!
      const [work] = line.waiting
      this.#stopWaiting(line, work!)
      line.atWork += next.effort
      this.#lines.delete(next.project)
      this.#lines.set(next.project, line)
      work!.state = "AT_WORK"
      work!.begin()
    }
  }
}
