import { RequestProblem } from "@countersign/core/errors"
import { Authorization } from "@countersign/core/signing"
import { RevertReason } from "@countersign/core/user-operations"
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { statusOf, type WireErrorId } from "./statusOf.ts"

export interface ErrorBody<Id extends WireErrorId> {
  readonly statusCode: (typeof statusOf)[Id]
  readonly id: Id
  readonly message: string
  readonly traceId: string
  /** What is wrong with a malformed request, one entry for each problem. */
  readonly errors?: ReadonlyArray<RequestProblem>
  /** AUTHORIZATION_STALE: the tuple to sign instead. */
  readonly authorization?: Authorization
  /** QUOTE_STALE: why the operation would revert. */
  readonly revertReason?: RevertReason
}

const schemaOf = <const Id extends WireErrorId>(id: Id) =>
  Schema.Struct({
    statusCode: Schema.Literal(statusOf[id]),
    id: Schema.Literal(id),
    message: Schema.String,
    traceId: Schema.String,
    errors: Schema.optionalKey(Schema.Array(RequestProblem)),
    authorization: Schema.optionalKey(Authorization),
    revertReason: Schema.optionalKey(RevertReason)
  })
    .annotate({ identifier: `Error_${id}` })
    .pipe(HttpApiSchema.status(statusOf[id]))

// One schema an id, so that the OpenAPI document names each once.
const schemas = new Map<WireErrorId, ReturnType<typeof schemaOf>>()

const schemaFor = (id: WireErrorId) => {
  const cachedSchema = schemas.get(id) ?? schemaOf(id)
  schemas.set(id, cachedSchema)
  return cachedSchema
}

type ErrorSchema<Id extends WireErrorId> = Schema.Codec<ErrorBody<Id>>

/** One schema for each id, for the `error` of an endpoint. */
export const errorSchemas = <const Ids extends ReadonlyArray<WireErrorId>>(
  ...ids: Ids
): { readonly [K in keyof Ids]: ErrorSchema<Ids[K]> } =>
  ids.map(schemaFor) as unknown as { readonly [K in keyof Ids]: ErrorSchema<Ids[K]> }
