import type { CallInput, Endpoint, endpoints } from "@countersign/adapters/api/endpoints"
import type { ErrorId } from "@countersign/adapters/api/errors"
import { type Project, ProjectId } from "@countersign/core/tenancy/projects"
import { DateTime, Effect, type Option, type Schema } from "effect"
import { resolveProject } from "./project.ts"

// Imported on demand, because help and invalid input do not need the services.
const endpointsModule = Effect.promise(() => import("@countersign/adapters/api/endpoints"))

type Fields = Schema.Struct.Fields
type AnyCodec = Schema.Codec<unknown, unknown>
type Choose<Params extends Fields, Query extends Fields, Payload extends AnyCodec, Success extends AnyCodec, R> = (
  all: typeof endpoints
) => Endpoint<Params, Query, Payload, Success, ErrorId, R>

/** The input of an endpoint, not yet validated. Commands set the API's fields, and the endpoint validates them. */
type EndpointInput<Params extends Fields, Query extends Fields, Payload extends AnyCodec> = Omit<
  CallInput<Params, Query, Payload>,
  "payload"
> & { readonly payload?: { readonly [Field in keyof Payload["Encoded"]]?: unknown } }

/** Caller of requests that belong to no project. Operators may send such requests before a project exists. */
const operator: Project = {
  id: ProjectId.make("00000000-0000-4000-8000-000000000000"),
  organizationId: "",
  name: "operator",
  treasury: null,
  bitcoinTreasury: null,
  computeUnits: null,
  createdAt: DateTime.makeUnsafe(0)
}

const runEndpoint = Effect.fnUntraced(function* <
  Params extends Fields,
  Query extends Fields,
  Payload extends AnyCodec,
  Success extends AnyCodec,
  R
>(choose: Choose<Params, Query, Payload, Success, R>, project: Project, input: EndpointInput<Params, Query, Payload>) {
  const module = yield* endpointsModule
  return yield* module.endpointRunnerOf(choose(module.endpoints))(project, input as CallInput<Params, Query, Payload>)
})

/** Returns the API response for a project: the selected one, otherwise the sandbox's, otherwise the only one. */
export const callEndpoint = <
  Params extends Fields,
  Query extends Fields,
  Payload extends AnyCodec,
  Success extends AnyCodec,
  R
>(
  choose: Choose<Params, Query, Payload, Success, R>,
  project: Option.Option<string>,
  input: EndpointInput<Params, Query, Payload>
) => Effect.flatMap(resolveProject(project), (selectedProject) => runEndpoint(choose, selectedProject, input))

/** Returns an API response that does not depend on a project. */
export const callEndpointAsOperator = <
  Params extends Fields,
  Query extends Fields,
  Payload extends AnyCodec,
  Success extends AnyCodec,
  R
>(
  choose: Choose<Params, Query, Payload, Success, R>,
  input: EndpointInput<Params, Query, Payload>
) => runEndpoint(choose, operator, input)
