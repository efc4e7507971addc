/** Limits on concurrent work, in units of cost. The quote of one swap has a cost of one. */
export interface TurnLimits {
  /**
   * The maximum cost of a single project's running work. Also the maximum total for work beyond each project's first.
   */
  readonly capacity: number
  /** The maximum running cost that concurrent projects share. */
  readonly shared: number
  /** The maximum cost of a project's waiting work. */
  readonly waitingMax: number
}

/** A project with waiting work. */
export interface Contender {
  readonly project: string
  /** The cost of the project's running work. */
  readonly atWork: number
  /** The cost of the project's work that has waited longest. */
  readonly effort: number
}

/** The state of all projects. */
export interface Workload {
  /** The cost of the running work. */
  readonly atWork: number
  readonly projectsAtWork: number
  /** Number of projects that have running or waiting work, or had such work recently. */
  readonly projectsPresent: number
}

/** The maximum cost of a project's running work. A single project may use the whole capacity. */
export const shareOf = ({ capacity, shared }: Omit<TurnLimits, "waitingMax">, projectsPresent: number): number =>
  projectsPresent <= 1 ? capacity : Math.max(1, Math.floor(shared / projectsPresent))

/**
 * The project whose work begins next; null if no work may begin now. Contenders are sorted by last turn, oldest first.
 * A project's first work begins regardless of its cost and of other projects' work, so that no project waits for
 * another. The project's share limits further work.
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
