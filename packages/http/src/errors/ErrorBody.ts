import { type ErrorId, RequestProblem } from "@countersign/core/errors"
import { Authorization } from "@countersign/core/signing"
import { RevertReason } from "@countersign/core/user-operations"
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { requestInfo } from "../server/RequestInfo.ts"
import { statusOf } from "./statusOf.ts"

export interface ErrorBody<Id extends ErrorId> {
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

const schemaOf = <const Id extends ErrorId>(id: Id) =>
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
const schemas = new Map<ErrorId, ReturnType<typeof schemaOf>>()

const schemaFor = (id: ErrorId) => {
  const known = schemas.get(id) ?? schemaOf(id)
  schemas.set(id, known)
  return known
}

type ErrorSchema<Id extends ErrorId> = Schema.Codec<ErrorBody<Id>>

/** One schema for each id, for the `error` of an endpoint. */
export const errorSchemas = <const Ids extends ReadonlyArray<ErrorId>>(
  ...ids: Ids
): { readonly [K in keyof Ids]: ErrorSchema<Ids[K]> } =>
  ids.map(schemaFor) as unknown as { readonly [K in keyof Ids]: ErrorSchema<Ids[K]> }

/** What a domain error has: its wire id for a tag, and a sentence. */
interface DomainError<Id extends ErrorId> {
  readonly _tag: Id
  readonly message: string
  readonly problems?: ReadonlyArray<RequestProblem>
  readonly authorization?: Authorization
  readonly reason?: unknown
}

const isRevertReason = Schema.is(RevertReason)

/** The body of a domain error. The trace id is the request's. */
export const bodyOf = <Id extends ErrorId>(error: DomainError<Id>): ErrorBody<Id> => ({
  statusCode: statusOf[error._tag],
  id: error._tag,
  message: error.message,
  traceId: requestInfo().traceId,
  ...(error.problems === undefined ? {} : { errors: error.problems }),
  ...(error.authorization === undefined ? {} : { authorization: error.authorization }),
  ...(isRevertReason(error.reason) ? { revertReason: error.reason } : {})
})

/** Maps each member of a union of domain errors to its own body. */
export const toBody = <E extends DomainError<ErrorId>>(
  error: E
): E extends DomainError<infer Id> ? ErrorBody<Id> : never =>
  bodyOf(error) as unknown as E extends DomainError<infer Id> ? ErrorBody<Id> : never
