import { BadRequest, fieldProblems } from "@countersign/core/errors"
import { type ProjectId, Projects } from "@countersign/core/projects"
import { Effect, Schema } from "effect"
import { answerOf, type CallInput, type Endpoint, type EndpointServices } from "../endpoints/index.ts"
import type { ErrorId } from "../errors/index.ts"
import type { Run } from "./session.ts"

export interface CallOptions {
  /** Ends the call when it is aborted: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Calls of endpoints for a project, as promises. */
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
    const answer = answerOf(endpoint)
    return (input: CallInput<Params, Query, Payload>, { signal }: CallOptions = {}): Promise<Success["Encoded"]> =>
      run(
        Effect.flatMap(
          Projects.use((projects) => projects.get(id)),
          (project) => answer(project, input)
        ),
        signal
      )
  }

export type CallEndpoint = ReturnType<typeof callerOf>

/** As the API reads a body: every problem is named, and unknown fields are refused. */
export const bodyOf = <S extends Schema.Codec<unknown, unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })
  return (body: S["Encoded"]): Effect.Effect<S["Type"], BadRequest> =>
    Effect.mapError(decode(body), ({ issue }) => new BadRequest({ problems: fieldProblems(issue) }))
}

/** An answer as the API gives it: plain JSON with the documented fields. */
export const jsonOf = <S extends Schema.Codec<unknown, unknown>>(schema: S) => {
  const encode = Schema.encodeUnknownEffect(schema)
  return (body: unknown): Effect.Effect<S["Encoded"]> => Effect.orDie(encode(body))
}
