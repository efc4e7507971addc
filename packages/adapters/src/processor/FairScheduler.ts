import { Context, type Fiber, type Scheduler } from "effect"

/** How long a fiber may compute before others go on, and before the event loop looks for requests and answers. */
const SLICE_MS = 5

/** A pause that is shorter belongs to the work around it: a step that another one resumed at once. */
const PAUSE_MS = 1

type Task = () => void

/**
 * Shares the processor by project: the fibers of each go on in turns, for a slice at a time, however many a project has.
 * Between slices the event loop serves what else there is.
 */
export class FairScheduler {
  /** By project, the one first whose last turn is longest ago. */
  readonly #tasks = new Map<string, Array<Task>>()
  readonly #now: () => number
  readonly #later: (run: Task) => void
  #isScheduled = false
  #sliceStartedAt = 0
  #lastSeenAt = 0

  constructor(now: () => number = () => performance.now(), later: (run: Task) => void = setImmediate) {
    this.#now = now
    this.#later = later
  }

  /** The scheduler of a project's fibers. */
  of(project: string): Scheduler.Scheduler {
    return {
      executionMode: "async",
      shouldYield: (fiber) => this.#isSliceOver(fiber),
      makeDispatcher: () => ({
        scheduleTask: (task) => this.#add(project, task),
        flush: () => {
          while (this.#tasks.size > 0) this.#runNext()
        }
      })
    }
  }

  #isSliceOver({ currentOpCount }: Fiber.Fiber<unknown, unknown>): boolean {
    const now = this.#now()
    if (currentOpCount === 1 && now - this.#lastSeenAt > PAUSE_MS) this.#sliceStartedAt = now
    this.#lastSeenAt = now
    return now - this.#sliceStartedAt >= SLICE_MS
  }

  #add(project: string, task: Task): void {
    const tasks = this.#tasks.get(project)
    if (tasks === undefined) this.#tasks.set(project, [task])
    else tasks.push(task)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#later(this.#runSlice)
  }

  #runNext(): void {
    const [project, tasks] = this.#tasks.entries().next().value!
    const task = tasks.shift()!
    this.#tasks.delete(project)
    if (tasks.length > 0) this.#tasks.set(project, tasks)
    task()
  }

  readonly #runSlice = (): void => {
    this.#isScheduled = false
    const startedAt = this.#now()
    this.#sliceStartedAt = startedAt
    this.#lastSeenAt = startedAt
    try {
      while (this.#tasks.size > 0) {
        this.#runNext()
        if (this.#now() - startedAt >= SLICE_MS) break
      }
    } finally {
      if (this.#tasks.size > 0) this.#schedule()
    }
  }
}

/** The scheduler of this process, which has one processor for all projects. */
export const ProcessScheduler = Context.Reference<FairScheduler>("@countersign/adapters/processor/ProcessScheduler", {
  defaultValue: () => new FairScheduler()
})
