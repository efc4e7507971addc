import { type ProjectId, Projects } from "@countersign/core/tenancy/projects"
import { Effect, Scheduler, type Schema } from "effect"
import { type CallInput, type Endpoint, type EndpointServices, endpointRunnerOf } from "../../api/endpoints/index.ts"
import type { ErrorId } from "../../api/errors/index.ts"
import { ProcessScheduler } from "../processor/index.ts"
import type { Run } from "./session.ts"

export interface CallOptions {
  /** Cancels the call. The promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface WaitOptions extends CallOptions {
  /** Timeout in milliseconds, after which the wait fails with WAIT_TIMEOUT. Default: no timeout. */
  readonly timeoutMs?: number
}

const endpointRunners = new WeakMap<object, unknown>()

/** Compiles an endpoint's schemas once for all projects, because a host may call `project` for each request. */
const cachedRunnerOf: typeof endpointRunnerOf = (endpoint) => {
  if (!endpointRunners.has(endpoint)) endpointRunners.set(endpoint, endpointRunnerOf(endpoint))
  return endpointRunners.get(endpoint) as never
}

/** Creates a function that calls endpoints for a project and returns promises. */
export const callerOf =
  (run: Run, id: ProjectId) =>
  <
    Params extends Schema.Struct.Fields,
    Query extends Schema.Struct.Fields,
    Payload extends Schema.Codec<unknown, unknown>,
    Success extends Schema.Codec<unknown, unknown>
  >(
    endpoint: Endpoint<Params, Query, Payload, Success, ErrorId, EndpointServices>
  ) => {
    const runEndpoint = cachedRunnerOf(endpoint)
    return (input: CallInput<Params, Query, Payload>, { signal }: CallOptions = {}): Promise<Success["Encoded"]> =>
      run(
        Effect.flatMap(ProcessScheduler, (scheduler) =>
          Effect.flatMap(
            Projects.use((projects) => projects.get(id)),
            (project) => runEndpoint(project, input)
          ).pipe(Effect.provideService(Scheduler.Scheduler, scheduler.of(id)))
        ),
        signal
      )
  }

export type CallEndpoint = ReturnType<typeof callerOf>
