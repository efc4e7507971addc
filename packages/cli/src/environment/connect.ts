import type { Settings } from "@countersign/adapters/service/composition"
import { Effect } from "effect"

// All adapters come with the services, and take longer to load than most commands to run: a command that is only
// explained or refused does without them.
const services = Effect.promise(() => import("./allServices.ts"))

/** Runs a command on the very services that the server runs on. */
export const withServices = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.flatMap(services, ({ provideServices }) => provideServices(command))

/** The same where projects and their keys are all that a command is about: the chains are not loaded for it. */
export const withProjects = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    Effect.promise(() => import("./projectServices.ts")),
    ({ provideProjects }) => provideProjects(command)
  )

/** Like `withServices`, with other settings. */
export const withSettings = <A, E, R>(settings: Settings, command: Effect.Effect<A, E, R>) =>
  Effect.flatMap(services, ({ provideServicesOf }) => provideServicesOf(settings, command))

/** The operator's own service where the environment names one, else the sandbox that runs on this home. */
export const settings = Effect.flatMap(services, (allServices) => allServices.settings)
