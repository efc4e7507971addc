import { AuthorizationBody, RevertReasonBody } from "@countersign/adapters/api/wire"
import { PROBLEMS_MAX, type RequestProblem } from "@countersign/core/foundation/errors"
import type { Authorization } from "@countersign/core/foundation/signing"
import type { RevertReason } from "@countersign/core/operations/user-operations"
import { Predicate, Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { type WireErrorId, wireErrors } from "./wireErrors.ts"

export interface ErrorBody<Id extends WireErrorId> {
  readonly statusCode: (typeof wireErrors)[Id]["status"]
  readonly id: Id
  readonly message: string
  readonly traceId: string
  readonly doc_url: string
  readonly errors?: ReadonlyArray<RequestProblem>
  /** Number of problems that `errors` omits. Absent if `errors` lists all problems. */
  readonly errorsOmitted?: number
  /** Only for AUTHORIZATION_STALE: the EIP-7702 authorization that the owner must sign instead. */
  readonly authorization?: Authorization
  /** Only for QUOTE_STALE: why the operation would revert. */
  readonly revertReason?: RevertReason
}

const problems = Schema.Array(
  Schema.Struct({
    path: Schema.String.annotate({ description: "Path of the field, such as `body.amountIn` or `query.take`" }),
    code: Schema.String.annotate({
      description: "Code of the problem: `missing`, `unknown_field`, `invalid` or a more specific code"
    }),
    message: Schema.String.annotate({ description: "Description of the problem" })
  }).annotate({ identifier: "RequestProblem", description: "An invalid field of a request" })
).annotate({
  description: `Problems of the request, at most ${PROBLEMS_MAX}. Absent if the request could not be read`
})

const errorsOmitted = Schema.Int.annotate({
  description: "Number of problems that `errors` omits. Absent if `errors` lists all problems"
})

/** Additional fields by error id. */
const extras: Partial<Record<WireErrorId, Schema.Struct.Fields>> = {
  BAD_REQUEST: { errors: Schema.optionalKey(problems), errorsOmitted: Schema.optionalKey(errorsOmitted) },
  FIAT_CUSTOMER_NOT_READY: { errors: Schema.optionalKey(problems) },
  INDIVIDUAL_VERIFICATION_REQUIRED: { errors: Schema.optionalKey(problems) },
  AUTHORIZATION_STALE: {
    authorization: Schema.optionalKey(AuthorizationBody).annotateKey({
      description: "EIP-7702 authorization to sign, with the current nonce"
    })
  },
  QUOTE_STALE: {
    revertReason: Schema.optionalKey(RevertReasonBody)
  }
}

const schemaOf = <const Id extends WireErrorId>(id: Id) =>
  Schema.Struct({
    statusCode: Schema.Literal(wireErrors[id].status).annotate({ description: "HTTP status" }),
    id: Schema.Literal(id).annotate({ description: "Stable id of the error, for programs" }),
    message: Schema.String.annotate({ description: "Human-readable description of the error and its solution" }),
    traceId: Schema.String.annotate({
      description: "Id of the request, as in the `x-request-id` header. Send it to the operator to report a problem"
    }),
    doc_url: Schema.String.annotate({
      description: "Link to the error in this API reference",
      format: "uri-reference"
    }),
    ...extras[id]
  })
    .annotate({ identifier: `Error_${id}`, description: `${wireErrors[id].meaning} ${wireErrors[id].remedy}` })
    .pipe(HttpApiSchema.status(wireErrors[id].status))

// Caches one schema per error id, so that the OpenAPI document contains each schema once.
const schemas = new Map<WireErrorId, ReturnType<typeof schemaOf>>()

const schemaFor = (id: WireErrorId) => {
  const cachedSchema = schemas.get(id) ?? schemaOf(id)
  schemas.set(id, cachedSchema)
  return cachedSchema
}

export const isErrorBody = (error: unknown): error is ErrorBody<WireErrorId> =>
  Predicate.hasProperty(error, "id") && typeof error.id === "string" && Object.hasOwn(wireErrors, error.id)

const encoders = new Map<WireErrorId, ReturnType<typeof Schema.encodeUnknownEffect>>()

/** Encodes an error body as JSON with the schema of its id. */
export const encodeErrorBody = (body: ErrorBody<WireErrorId>) => {
  const cachedEncoder = encoders.get(body.id) ?? Schema.encodeUnknownEffect(Schema.toCodecJson(schemaFor(body.id)))
  encoders.set(body.id, cachedEncoder)
  return cachedEncoder(body)
}

type ErrorSchema<Id extends WireErrorId> = Schema.Codec<ErrorBody<Id>>

/** Returns one schema per error id, for the `error` of an endpoint. */
export const errorSchemas = <const Ids extends ReadonlyArray<WireErrorId>>(
  ...ids: Ids
): { readonly [K in keyof Ids]: ErrorSchema<Ids[K]> } =>
  ids.map(schemaFor) as { readonly [K in keyof Ids]: ErrorSchema<Ids[K]> }
