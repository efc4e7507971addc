/** Limits on concurrent work. A cost of one is a quote of one swap. */
export interface TurnLimits {
  /**
   * The cost that a single project may have running, and that all projects together may have beyond the first work of
   * each.
   */
  readonly capacity: number
  /** The cost that projects with concurrent work share. */
  readonly shared: number
  /** The cost that a project may have waiting. */
  readonly waitingMax: number
}

/** A project with waiting work. */
export interface Contender {
  readonly project: string
  /** The cost of its running work. */
  readonly atWork: number
  /** The cost of its work that has waited longest. */
  readonly effort: number
}

/** The state of all projects. */
export interface Workload {
  /** The cost of the running work. */
  readonly atWork: number
  readonly projectsAtWork: number
  /** Number of projects with running or waiting work, now or a moment ago. */
  readonly projectsPresent: number
}

/** The cost that a project may have running: everything if there is no other project. */
export const shareOf = ({ capacity, shared }: Omit<TurnLimits, "waitingMax">, projectsPresent: number): number =>
  projectsPresent <= 1 ? capacity : Math.max(1, Math.floor(shared / projectsPresent))

/**
 * The project whose work begins next; null if none may begin now. Contenders are sorted by last turn, oldest first. The
 * first work of a project begins whatever its cost and the running work of others, so that no project waits for
 * another; further work is limited by the project's share.
 */
export const nextTurn = (
  contenders: Iterable<Contender>,
  { atWork, projectsAtWork, projectsPresent }: Workload,
  limits: Omit<TurnLimits, "waitingMax">
): Contender | null => {
  const share = shareOf(limits, projectsPresent)
  for (const contender of contenders) {
    const { effort } = contender
    const mayBegin =
      contender.atWork === 0
        ? projectsAtWork < limits.capacity
        : contender.atWork + effort <= share && atWork + effort <= limits.capacity
    if (mayBegin) return contender
  }
  return null
}
