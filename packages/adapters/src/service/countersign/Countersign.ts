import type { ProjectId } from "@countersign/core/tenancy/projects"
import { Effect, Layer } from "effect"
import type { CountersignError } from "./CountersignError.ts"
import type { CountersignOptions } from "./CountersignOptions.ts"
import { errorOf } from "./errorOf.ts"
import { eventsOf } from "./events.ts"
import { fiatReviewsOf } from "./fiatReviews.ts"
import { identitiesOf } from "./identities.ts"
import { type CountersignServices, layerCountersign } from "./layerCountersign.ts"
import { type ProjectCalls, projectCalls } from "./projectCalls.ts"
import { ownProject, projectIdOf, projectsOf } from "./projects.ts"
import { openSession, type Run, type Session } from "./session.ts"

/** All calls of one project. */
export type CountersignProject = ProjectCalls & {
  /** Id of the project that these calls belong to. */
  readonly projectId: string
  readonly fiatReviews: ReturnType<typeof fiatReviewsOf>
  readonly identities: ReturnType<typeof identitiesOf>
  /** Streams the events of the project: see `EventsOptions`. */
  readonly events: ReturnType<typeof eventsOf>
}

const handleOf = (run: Run, project: ProjectId): CountersignProject => ({
  projectId: project,
  ...projectCalls(run, project),
  fiatReviews: fiatReviewsOf(run, project),
  identities: identitiesOf(run, project),
  events: eventsOf(run, project)
})

/** Base class with the calls of one project. */
const OwnProject = class {
  constructor(handle: CountersignProject) {
    Object.assign(this, handle)
  }
} as unknown as new (
  handle: CountersignProject
) => CountersignProject

/**
 * Countersign embedded in your process. It has the same calls as the client of the HTTP API (see `/docs` of a service).
 * Amounts are decimal strings in token units, such as "1.5". Calls fail with a `CountersignError`. No API key is needed
 * and no compute units are charged, so any code that has this object can call everything.
 */
export class Countersign extends OwnProject implements AsyncDisposable {
  /** Streams the events of all projects. */
  declare readonly events: CountersignProject["events"]
  readonly projects: ReturnType<typeof projectsOf>
  readonly #session: Session

  private constructor(session: Session, project: ProjectId) {
    const { run } = session
    super({ ...handleOf(run, project), events: eventsOf(run, null) })
    this.#session = session
    this.projects = projectsOf(run)
  }

  /**
   * Opens the database, migrates it, and starts the workers, which continue pending operations. Two options are
   * sufficient: `{ database: "countersign.db", chains: { 1: { rpcUrl: "https://…" } } }`.
   */
  static async open(options: CountersignOptions): Promise<Countersign> {
    const session = await openSession(layerCountersign(options))
    try {
      return new Countersign(session, await session.run(ownProject(options.project)))
    } catch (error) {
      await session.close()
      throw error
    }
  }

  /** The services of the core as an Effect layer, with the same options. Workers run as long as the layer. */
  static layer(options: CountersignOptions): Layer.Layer<CountersignServices, CountersignError> {
    return Layer.catchCause(layerCountersign(options), (cause) =>
      Layer.effectContext(Effect.fail(errorOf(cause)))
    ) as Layer.Layer<CountersignServices, CountersignError>
  }

  /** The calls of one project, for a host with several tenants. If the project does not exist, the calls fail. */
  project(id: string): CountersignProject {
    return handleOf(this.#session.run, projectIdOf(id))
  }

  /**
   * Ends pending calls, timers, sockets and the library's own database connection. Idempotent. Later calls fail with
   * CLOSED. Accepted operations continue when the database is opened again.
   */
  close(): Promise<void> {
    return this.#session.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
