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
import { findOrCreateOwnProject, projectIdOf, projectsOf } from "./projects.ts"
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

/**
 * Countersign embedded in your process. It has the same calls as the client of the HTTP API (see `/docs` of a service).
 * Amounts are decimal strings in token units, such as "1.5". Calls fail with a `CountersignError`. No API key is needed
 * and no compute units are charged, so any code that has this object can call everything. `events` streams the events
 * of all projects.
 */
export interface Countersign extends CountersignProject, AsyncDisposable {
  readonly projects: ReturnType<typeof projectsOf>
  /** The calls of one project, for a host with several tenants. If the project does not exist, the calls fail. */
  readonly project: (id: string) => CountersignProject
  /**
   * Ends pending calls, timers, sockets and the library's own database connection. Idempotent. Later calls fail with
   * CLOSED. Accepted operations continue when the database is opened again.
   */
  readonly close: () => Promise<void>
}

const countersignOf = ({ close, run }: Session, project: ProjectId): Countersign => ({
  ...handleOf(run, project),
  events: eventsOf(run, null),
  projects: projectsOf(run),
  project: (id) => handleOf(run, projectIdOf(id)),
  close,
  [Symbol.asyncDispose]: close
})

export const Countersign = {
  /**
   * Opens the database, migrates it, and starts the workers, which continue pending operations. Two options are
   * sufficient: `{ database: "countersign.db", chains: { 1: { rpcUrl: "https://…" } } }`.
   */
  open: async (options: CountersignOptions): Promise<Countersign> => {
    const session = await openSession(layerCountersign(options))
    try {
      return countersignOf(session, await session.run(findOrCreateOwnProject(options.project)))
    } catch (error) {
      await session.close()
      throw error
    }
  },

  /** The services of the core as an Effect layer, with the same options. Workers run as long as the layer. */
  layer: (options: CountersignOptions): Layer.Layer<CountersignServices, CountersignError> =>
    Layer.catchCause(layerCountersign(options), (cause) =>
      Layer.effectContext(Effect.fail(errorOf(cause)))
    ) as Layer.Layer<CountersignServices, CountersignError>
}
