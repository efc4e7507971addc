import type { Settings } from "@countersign/adapters/service/composition"
import { Effect } from "effect"

// The services load all adapters, which takes longer than most commands run. So commands load the services on demand.
const services = Effect.promise(() => import("./allServices.ts"))

/** Runs a command with the same services as the server. */
export const withServices = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.flatMap(services, ({ provideServices }) => provideServices(command))

/** Runs a command that only needs projects and their keys. Does not load the chains. */
export const withProjects = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    Effect.promise(() => import("./projectServices.ts")),
    ({ provideProjects }) => provideProjects(command)
  )

/** Like `withServices`, with other settings. */
export const withSettings = <A, E, R>(settings: Settings, command: Effect.Effect<A, E, R>) =>
  Effect.flatMap(services, ({ provideServicesOf }) => provideServicesOf(settings, command))

/** The operator's own service if the environment configures one, otherwise the running sandbox of this home folder. */
export const settings = Effect.flatMap(services, (allServices) => allServices.settings)
