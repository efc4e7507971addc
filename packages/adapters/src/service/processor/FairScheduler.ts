import { Context, type Fiber, type Scheduler } from "effect"

/**
 * CPU time of a fiber in milliseconds, after which other fibers continue and the event loop handles requests and
 * responses.
 */
const SLICE_MS = 10

/**
 * Slice if no other project was recently active. It is longer, so that related requests to a node are made in one turn
 * of the event loop and sent together, even when code runs for the first time.
 */
const SLICE_ALONE_MS = 50
const ALONE_AFTER_MS = 5_000

/** A pause shorter than this counts as CPU time, because the step was resumed immediately. */
const PAUSE_MS = 1

type Task = () => void

/** Returns the CPU time that this process has used, in milliseconds. */
const processorTimeMs = (): number => {
  const { system, user } = process.cpuUsage()
  return (user + system) / 1_000
}

/**
 * Shares the processor between projects. The fibers of each project run in turns of one slice, however many fibers a
 * project has. Between slices the event loop handles other work.
 */
export class FairScheduler {
  /**
   * Waiting tasks by project, in the order of the projects' next turns (round robin). A project without tasks is
   * removed, and later appended.
   */
  readonly #tasks = new Map<string, Array<Task>>()
  readonly #now: () => number
  readonly #scheduleTurn: (run: Task) => void
  readonly #readProcessorTime: () => number
  #isScheduled = false
  #sliceStartedAt = 0
  #processorTimeReadAt = Number.NEGATIVE_INFINITY
  #processorTimeAtSliceStart = 0
  #lastSeenAt = 0
  #lastProject: string | null = null
  #lastChangeAt = Number.NEGATIVE_INFINITY

  constructor(
    now: () => number = () => performance.now(),
    scheduleTurn: (run: Task) => void = setImmediate,
    readProcessorTime: () => number = processorTimeMs
  ) {
    this.#now = now
    this.#scheduleTurn = scheduleTurn
    this.#readProcessorTime = readProcessorTime
  }

  /** Returns the scheduler for the fibers of a project. */
  of(project: string): Scheduler.Scheduler {
    return {
      executionMode: "async",
      shouldYield: (fiber) => this.#isSliceOver(project, fiber),
      makeDispatcher: () => this.#dispatcherOf(project)
    }
  }

  /**
   * Fibers that are started together also start in the same turn of the event loop, so that their requests to a node
   * are sent together.
   */
  #dispatcherOf(project: string): Scheduler.SchedulerDispatcher {
    let queuedTasks: Array<Task> = []
    const runTasks = () => {
      const tasks = queuedTasks
      queuedTasks = []
      for (const task of tasks) {
        this.#beginSlice(this.#now())
        task()
      }
    }
    return {
      scheduleTask: (task) => {
        queuedTasks.push(task)
        if (queuedTasks.length === 1) this.#add(project, runTasks)
      },
      flush: () => {
        while (queuedTasks.length > 0) runTasks()
      }
    }
  }

  #beginSlice(now: number): void {
    this.#sliceStartedAt = now
    this.#lastSeenAt = now
    // Reading the CPU time is a system call. A value from the same millisecond is precise enough.
    if (now - this.#processorTimeReadAt < PAUSE_MS) return
    this.#processorTimeReadAt = now
    this.#processorTimeAtSliceStart = this.#readProcessorTime()
  }

  #isSliceOver(project: string, { currentOpCount }: Fiber.Fiber<unknown, unknown>): boolean {
    const now = this.#now()
    if (project !== this.#lastProject) {
      if (this.#lastProject !== null) this.#lastChangeAt = now
      this.#lastProject = project
    }
    if (currentOpCount === 1 && now - this.#lastSeenAt > PAUSE_MS) this.#beginSlice(now)
    this.#lastSeenAt = now
    const slice = this.#sliceAt(now)
    return now - this.#sliceStartedAt >= slice && this.#hasUsed(slice, now)
  }

  #sliceAt(now: number): number {
    return now - this.#lastChangeAt > ALONE_AFTER_MS ? SLICE_ALONE_MS : SLICE_MS
  }

  /** Whether the slice is used up. Excludes the time in which other processes used the processor. */
  #hasUsed(slice: number, now: number): boolean {
    const usedMs = this.#readProcessorTime() - this.#processorTimeAtSliceStart
    if (usedMs >= slice) return true
    this.#sliceStartedAt = now - usedMs
    return false
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
    this.#scheduleTurn(this.#runSlice)
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

/** The scheduler of this process, whose projects share one processor. */
export const ProcessScheduler = Context.Reference<FairScheduler>("@countersign/adapters/processor/ProcessScheduler", {
  defaultValue: () => new FairScheduler()
})
