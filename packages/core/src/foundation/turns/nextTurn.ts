/** Limits on concurrent work, in units of cost. The quote of one swap has a cost of one. */
export interface ConcurrencyLimits {
  /**
   * Maximum cost of all running work, and maximum number of projects with running work. The first work of a project may
   * exceed the maximum cost.
   */
  readonly capacity: number
  /** Cost of running work that concurrent projects divide equally. The share of each project is at least one. */
  readonly shared: number
  /** Maximum cost of a project's waiting work. */
  readonly waitingMax: number
}

/** A project with waiting work. */
export interface QueuedWork {
  readonly project: string
  /** Cost of the project's running work. */
  readonly atWork: number
  /** Cost of the project's work that has waited longest. */
  readonly weight: number
}

/** The running and waiting work of all projects. */
export interface Workload {
  /** Cost of all running work. */
  readonly atWork: number
  readonly projectsAtWork: number
  /** Number of projects that have running or waiting work, or had such work recently. */
  readonly projectsPresent: number
}

/** Returns the maximum cost of a project's running work. A single project may use the full capacity. */
export const shareOf = (
  { capacity, shared }: Omit<ConcurrencyLimits, "waitingMax">,
  projectsPresent: number
): number => (projectsPresent <= 1 ? capacity : Math.max(1, Math.floor(shared / projectsPresent)))

/**
 * Returns the project whose work starts next: the first contender that may start. Null if none may start. A project
 * without running work may start its first work regardless of the cost, if fewer than `capacity` projects have running
 * work. The project's share and `capacity` limit its further work.
 */
export const nextQueuedWork = (
  contenders: Iterable<QueuedWork>,
  { atWork, projectsAtWork, projectsPresent }: Workload,
  limits: Omit<ConcurrencyLimits, "waitingMax">
): QueuedWork | null => {
  const share = shareOf(limits, projectsPresent)
  for (const queuedWork of contenders) {
    const { weight } = queuedWork
    const mayBegin =
      queuedWork.atWork === 0
        ? projectsAtWork < limits.capacity
        : queuedWork.atWork + weight <= share && atWork + weight <= limits.capacity
    if (mayBegin) return queuedWork
  }
  return null
}
