import { readSandboxFile, type SandboxFile } from "@countersign/adapters/home"
import { type Config, Effect } from "effect"
import { home } from "./home.ts"
import { isConfigured } from "./isConfigured.ts"

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

/** The operator's own service where the environment names one, else the sandbox that runs on this home. */
export const settings = Effect.flatMap(services, (allServices) => allServices.settings)

/** The sandbox's file, where that is what this home runs on; null on a service of the operator's own. */
export const sandboxFileOrNull: Effect.Effect<SandboxFile | null, Config.ConfigError> = Effect.gen(function* () {
  return (yield* isConfigured) ? null : yield* readSandboxFile(yield* home)
})
