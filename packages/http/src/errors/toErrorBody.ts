import { BadRequest, type RequestProblem } from "@countersign/core/errors"
import { UnpaidGasLimit } from "@countersign/core/losses"
import type { Authorization } from "@countersign/core/signing"
import { RevertReason } from "@countersign/core/user-operations"
import { Schema } from "effect"
import { requestInfo } from "../server/RequestInfo.ts"
import { docUrl } from "./docUrl.ts"
import type { ErrorBody } from "./ErrorBody.ts"
import { sentenceOf } from "./sentences.ts"
import { type WireErrorId, wireErrors } from "./wireErrors.ts"
import { type Place, wirePath } from "./wirePath.ts"

/** A domain error: its tag is the id on the wire, its message a sentence. */
interface DomainError<Id extends WireErrorId> {
  readonly _tag: Id
  readonly message: string
  readonly problems?: ReadonlyArray<RequestProblem>
  readonly authorization?: Authorization
  readonly reason?: unknown
}

type BodyOf<E> = E extends DomainError<infer Id> ? ErrorBody<Id> : never

const isRevertReason = Schema.is(RevertReason)

/** Maps each member of a union of domain errors to its own body, under the trace id of the request. */
export const toErrorBody = <E extends DomainError<WireErrorId>>(error: E): BodyOf<E> => {
  const info = requestInfo()
  if (error instanceof UnpaidGasLimit) {
    info.retryAfterSeconds = error.retryAfterSeconds
    info.unpaidScope = error.scope
  }
  const body: ErrorBody<WireErrorId> = {
    statusCode: wireErrors[error._tag].status,
    id: error._tag,
    message: sentenceOf(error),
    traceId: info.traceId,
    doc_url: docUrl(error._tag),
    ...(error.problems === undefined ? {} : { errors: error.problems }),
    ...(error.authorization === undefined ? {} : { authorization: error.authorization }),
    ...(isRevertReason(error.reason) ? { revertReason: error.reason } : {})
  }
  return body as BodyOf<E>
}

/** The same for an endpoint whose fields come in this place. */
export const errorOf =
  (place: Place) =>
  <E extends DomainError<WireErrorId>>(error: E): BodyOf<E> =>
    toErrorBody(
      error instanceof BadRequest ? (error.withPaths((field) => wirePath(place, field)) as E & BadRequest) : error
    )
