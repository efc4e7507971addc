import type { TaxScheduleNotFound } from "@countersign/core/accounting/tax"
import { type FieldError, isFieldError } from "@countersign/core/foundation/errors"
import type { Authorization } from "@countersign/core/foundation/signing"
import type { TokensNotAuthorized } from "@countersign/core/foundation/tokens"
import { Overloaded } from "@countersign/core/foundation/turns"
import { UnpaidGasLimit } from "@countersign/core/operations/unpaid-gas"
import { RevertReason } from "@countersign/core/operations/user-operations"
import type { IdempotencyKeyReused, IdempotentRequestRunning } from "@countersign/core/tenancy/idempotency"
import type { InvalidApiKey, ScopeMissing } from "@countersign/core/tenancy/projects"
import type { WebhookDeliveryNotFound, WebhookDisabled, WebhookNotFound } from "@countersign/core/tenancy/webhooks"
import type { FactoryNotSupported, WalletNotRegistered } from "@countersign/core/wallets/registry"
import { Schema } from "effect"
import { requestInfo } from "../server/RequestInfo.ts"
import { docUrl } from "./docUrl.ts"
import type { ErrorBody } from "./ErrorBody.ts"
import { type WireErrorId, wireErrors } from "./wireErrors.ts"
import { type RequestPart, wirePath } from "./wirePath.ts"

type ExplainedError =
  | FactoryNotSupported
  | IdempotencyKeyReused
  | IdempotentRequestRunning
  | InvalidApiKey
  | ScopeMissing
  | TaxScheduleNotFound
  | TokensNotAuthorized
  | WalletNotRegistered
  | WebhookDeliveryNotFound
  | WebhookDisabled
  | WebhookNotFound

const nameHeader = (message: string): string => message.replace("idempotency key", "Idempotency-Key")

/** Error messages for API clients. They mention HTTP headers and endpoints, which the core's own messages do not. */
const sentences: { readonly [E in ExplainedError as E["_tag"]]: (error: E) => string } = {
  INVALID_API_KEY: () =>
    "The x-api-key header does not contain a valid API key. The operator creates keys with `countersign key create`.",
  FORBIDDEN_SCOPE: ({ message, scope }) =>
    `${message} Use a key that has the scope, or create one with \`countersign key create --scope ${scope}\`.`,
  FACTORY_NOT_SUPPORTED: ({ message }) => `${message} GET /api/v1/wallets/factories lists the supported factories.`,
  ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT: ({ message }) =>
    `${message} Register it with POST /api/v1/wallets/register.`,
  NOT_AUTHORIZED_TOKENS: ({ message }) => `${message} GET /api/v1/crypto/tokens lists the supported tokens.`,
  TAX_EXPORT_SCHEDULE_NOT_FOUND: ({ message, walletAddress }) =>
    `${message} Create one with POST /api/v1/wallets/${walletAddress}/tax-export/schedules.`,
  IDEMPOTENCY_KEY_REUSED: ({ message }) => nameHeader(message),
  IDEMPOTENT_REQUEST_RUNNING: ({ message }) => nameHeader(message),
  WEBHOOK_NOT_FOUND: ({ message }) => `${message} GET /api/v1/webhooks lists the webhooks of the project.`,
  WEBHOOK_DELIVERY_NOT_FOUND: ({ message, webhookId }) =>
    `${message} GET /api/v1/webhooks/${webhookId}/deliveries lists the webhook's deliveries.`,
  WEBHOOK_DISABLED: ({ id, message }) => `${message} Enable it with POST /api/v1/webhooks/${id}/enable.`
}

/** Returns the API's message for an error: from `sentences`, otherwise the core's own message. */
export const sentenceOf = (error: { readonly _tag: string; readonly message: string }): string => {
  const explain = (sentences as Readonly<Record<string, (error: never) => string>>)[error._tag]
  return explain === undefined ? error.message : explain(error as never)
}

/** An error of the core. Its tag is the error id in the API. */
interface DomainError<Id extends WireErrorId> {
  readonly _tag: Id
  readonly message: string
  readonly authorization?: Authorization
  readonly reason?: unknown
}

type BodyOf<E> = E extends DomainError<infer Id> ? ErrorBody<Id> : never

const isRevertReason = Schema.is(RevertReason)

const problemsOf = ({ report: { listed, omitted } }: FieldError) => ({
  errors: listed,
  ...(omitted === 0 ? {} : { errorsOmitted: omitted })
})

/** Converts a domain error to the error body of its id, with the trace id of the request. */
export const toErrorBody = <E extends DomainError<WireErrorId>>(error: E): BodyOf<E> => {
  const info = requestInfo()
  if (error instanceof Overloaded) info.retryAfterSeconds = error.retryAfterSeconds
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
    ...(isFieldError(error) ? problemsOf(error) : {}),
    ...(error.authorization === undefined ? {} : { authorization: error.authorization }),
    ...(isRevertReason(error.reason) ? { revertReason: error.reason } : {})
  }
  return body as BodyOf<E>
}

/** Converts an error to its body. Prefixes the paths of invalid fields with `requestPart`, such as `body` or `query`. */
export const errorBodyOf =
  (requestPart: RequestPart) =>
  <E extends DomainError<WireErrorId>>(error: E): BodyOf<E> =>
    toErrorBody(
      isFieldError(error) ? (error.withPaths((field) => wirePath(requestPart, field)) as E & FieldError) : error
    )
