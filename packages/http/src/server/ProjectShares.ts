/**
 * How many requests a project may have answered at the same time while so many projects have some. All of them together
 * leave a share for one more, so that the next one finds room.
 */
export const shareOf = (parallelRequestsMax: number, projectsAtWork: number): number =>
  Math.max(1, Math.floor(parallelRequestsMax / (projectsAtWork + 1)))

/** The requests of each project that are being answered. */
export class ProjectShares {
  readonly #parallelRequestsMax: number
  readonly #open = new Map<string, number>()

  constructor(parallelRequestsMax: number) {
    this.#parallelRequestsMax = parallelRequestsMax
  }

  /** False where the project has its share already; else `leave` must follow. */
  enter(projectId: string): boolean {
    const open = this.#open.get(projectId) ?? 0
    const projectsAtWork = open === 0 ? this.#open.size + 1 : this.#open.size
    if (open >= shareOf(this.#parallelRequestsMax, projectsAtWork)) return false
    this.#open.set(projectId, open + 1)
    return true
  }

  leave(projectId: string): void {
    const open = this.#open.get(projectId) ?? 0
    if (open > 1) this.#open.set(projectId, open - 1)
    else this.#open.delete(projectId)
  }
}
