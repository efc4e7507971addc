import type { CallInput, Endpoint, endpoints } from "@countersign/adapters/api/endpoints"
import type { ErrorId } from "@countersign/adapters/api/errors"
import { type Project, ProjectId } from "@countersign/core/tenancy/projects"
import { DateTime, Effect, type Option, type Schema } from "effect"
import { chosenProject } from "./project.ts"

// The endpoints are part of the services, which are not loaded for help and invalid input.
const endpointsModule = Effect.promise(() => import("@countersign/adapters/api/endpoints"))

type Fields = Schema.Struct.Fields
type AnyCodec = Schema.Codec<unknown, unknown>
type Choose<Params extends Fields, Query extends Fields, Payload extends AnyCodec, Success extends AnyCodec, R> = (
  all: typeof endpoints
) => Endpoint<Params, Query, Payload, Success, ErrorId, R>

/** The input of a command. The fields are the API's, and the endpoint validates their values. */
type Given<Params extends Fields, Query extends Fields, Payload extends AnyCodec> = Omit<
  CallInput<Params, Query, Payload>,
  "payload"
> & { readonly payload?: { readonly [Field in keyof Payload["Encoded"]]?: unknown } }

/** The caller of requests without a project. Operators may make such requests before a project exists. */
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
>(choose: Choose<Params, Query, Payload, Success, R>, project: Project, input: Given<Params, Query, Payload>) {
  const module = yield* endpointsModule
  return yield* module.answerOf(choose(module.endpoints))(project, input as CallInput<Params, Query, Payload>)
})

/** The API response for a project: the selected project, otherwise the only one. */
export const ask = <Params extends Fields, Query extends Fields, Payload extends AnyCodec, Success extends AnyCodec, R>(
  choose: Choose<Params, Query, Payload, Success, R>,
  project: Option.Option<string>,
  input: Given<Params, Query, Payload>
) => Effect.flatMap(chosenProject(project), (chosen) => runEndpoint(choose, chosen, input))

/** An API response that is the same for every project. */
export const askAsOperator = <
  Params extends Fields,
  Query extends Fields,
  Payload extends AnyCodec,
  Success extends AnyCodec,
  R
>(
  choose: Choose<Params, Query, Payload, Success, R>,
  input: Given<Params, Query, Payload>
) => runEndpoint(choose, operator, input)
