/** How much is done at the same time. An effort of one is a quote of one swap. */
export interface TurnLimits {
  /** The effort that a project alone may have at work, and all projects together beyond the first work of each. */
  readonly capacity: number
  /** The effort that projects share which have work at the same time. */
  readonly shared: number
  /** The effort that a project may have waiting. */
  readonly waitingMax: number
}

/** A project with work that waits. */
export interface Contender {
  readonly project: string
  /** The effort of all that it has at work. */
  readonly atWork: number
  /** The effort of its work that has waited longest. */
  readonly effort: number
}

/** What goes on in all projects. */
export interface Workload {
  /** The effort of what is at work. */
  readonly atWork: number
  readonly projectsAtWork: number
  /** How many projects have work, at work or waiting, or had some a moment ago. */
  readonly projectsPresent: number
}

/** The effort that a project may have at work: everything where it is alone. */
export const shareOf = ({ capacity, shared }: Omit<TurnLimits, "waitingMax">, projectsPresent: number): number =>
  projectsPresent <= 1 ? capacity : Math.max(1, Math.floor(shared / projectsPresent))

/**
 * The project whose work begins next; null where none may begin now. Contenders come with the one first whose last turn is
 * longest ago. The first work of a project begins whatever its effort is and whatever others have at work, so that none waits
 * for another's; all further work keeps to the project's share.
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
