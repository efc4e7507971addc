import type { Settings } from "@countersign/adapters/service/composition"
import { Effect } from "effect"

// Imported on demand, because loading all adapters takes longer than most commands run.
const services = Effect.promise(() => import("./allServices.ts"))

/** Runs a command with the same services as the server. */
export const withServices = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.flatMap(services, ({ provideServices }) => provideServices(command))

/** Runs a command that needs only projects and their keys. Does not load the chains. */
export const withProjects = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    Effect.promise(() => import("./projectServices.ts")),
    ({ provideProjects }) => provideProjects(command)
  )

/** Runs a command like `withServices`, but with other settings. */
export const withSettings = <A, E, R>(settings: Settings, command: Effect.Effect<A, E, R>) =>
  Effect.flatMap(services, ({ provideServicesOf }) => provideServicesOf(settings, command))

/**
 * The settings of the operator's own service if the environment configures one, otherwise of the running sandbox in
 * this home folder.
 */
export const settings = Effect.flatMap(services, (allServices) => allServices.settings)
