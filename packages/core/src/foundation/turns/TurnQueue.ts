import { type ConcurrencyLimits, nextQueuedWork, type QueuedWork } from "./nextTurn.ts"

/** A piece of work, from its request for a turn until its end. */
export interface Work {
  readonly project: string
  readonly weight: number
  state: "WAITING" | "AT_WORK" | "OVER"
  /** Called once, when the work may start. */
  begin: () => void
}

interface ProjectQueue {
  atWork: number
  readonly waiting: Set<Work>
  /** Total cost of the waiting work. */
  waitingWeight: number
  /**
   * The time when the project's latest work ended, in epoch milliseconds. Before that, the time when its first work
   * joined.
   */
  seenAtMs: number
}

/**
 * Duration in milliseconds after a project's last work during which the project still counts as present. It covers
 * pauses between sequential requests.
 */
const ACTIVITY_MS = 5_000

/** The running and waiting work of projects. */
export class FairQueue {
  readonly #limits: ConcurrencyLimits
  /**
   * Keyed by project, in the order of their next turns. A project moves to the end when its work starts. A new project
   * is added at the end.
   */
  readonly #lines = new Map<string, ProjectQueue>()

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits
  }

  /**
   * Adds work, which starts or waits. Null if too much of the project's work is waiting. If none is waiting, accepts
   * work of any cost. Unless the result is null, the caller must call `leave` when the work ends.
   */
  join(project: string, weight: number, nowMs: number): Work | null {
    const projectQueue = this.#lines.get(project) ?? {
      atWork: 0,
      waiting: new Set(),
      waitingWeight: 0,
      seenAtMs: nowMs
    }
    if (projectQueue.waiting.size > 0 && projectQueue.waitingWeight + weight > this.#limits.waitingMax) return null
    const work: Work = { project, weight, state: "WAITING", begin: () => undefined }
    projectQueue.waiting.add(work)
    projectQueue.waitingWeight += weight
    this.#lines.set(project, projectQueue)
    this.#goOn(nowMs)
    return work
  }

  /** Removes work, whether it has started or not, and starts waiting work. */
  leave(work: Work, nowMs: number): void {
    const projectQueue = this.#lines.get(work.project)
    if (projectQueue === undefined || work.state === "OVER") return
    if (work.state === "AT_WORK") projectQueue.atWork -= work.weight
    else this.#stopWaiting(projectQueue, work)
    work.state = "OVER"
    projectQueue.seenAtMs = nowMs
    this.#goOn(nowMs)
  }

  #stopWaiting(projectQueue: ProjectQueue, work: Work): void {
    projectQueue.waiting.delete(work)
    projectQueue.waitingWeight -= work.weight
  }

  #removeAbsent(nowMs: number): void {
    for (const [project, { atWork, seenAtMs, waiting }] of this.#lines) {
      const isInactive = atWork === 0 && waiting.size === 0 && nowMs - seenAtMs > ACTIVITY_MS
      if (isInactive) this.#lines.delete(project)
    }
  }

  *#contenders(): Iterable<QueuedWork> {
    for (const [project, { atWork, waiting }] of this.#lines) {
      const [first] = waiting
      if (first !== undefined) yield { project, atWork, weight: first.weight }
    }
  }

  #workload() {
    const queues = [...this.#lines.values()]
    return {
      atWork: queues.reduce((sum, { atWork }) => sum + atWork, 0),
      projectsAtWork: queues.filter(({ atWork }) => atWork > 0).length,
      projectsPresent: queues.length
    }
  }

  #goOn(nowMs: number): void {
    this.#removeAbsent(nowMs)
    for (;;) {
      const next = nextQueuedWork(this.#contenders(), this.#workload(), this.#limits)
      if (next === null) return
      const projectQueue = this.#lines.get(next.project)!
      const [work] = projectQueue.waiting
      this.#stopWaiting(projectQueue, work!)
      projectQueue.atWork += next.weight
      this.#lines.delete(next.project)
      this.#lines.set(next.project, projectQueue)
      work!.state = "AT_WORK"
      work!.begin()
    }
  }
}
