import type { AnyEndpoint } from "@countersign/adapters/api/endpoints"
import type { Caller } from "@countersign/core/tenancy/projects"
import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { errorSchemas } from "../errors/index.ts"

/** The caller of the current request. */
export class CurrentCaller extends Context.Service<CurrentCaller, Caller>()("@countersign/http/CurrentCaller") {}

/** Annotates an endpoint of the `HttpApi` with its declaration. */
export class ServedEndpoint extends Context.Service<ServedEndpoint, AnyEndpoint>()(
  "@countersign/http/ServedEndpoint"
) {}

export const servedEndpointOf = ({ annotations }: { readonly annotations: Context.Context<never> }): AnyEndpoint =>
  Context.getUnsafe(annotations, ServedEndpoint)

/**
 * Authenticates a request by its `x-api-key`, enforces the limits of the project and of the key, and provides the
 * caller.
 */
export class ProjectAuth extends HttpApiMiddleware.Service<ProjectAuth, { provides: CurrentCaller }>()(
  "@countersign/http/ProjectAuth",
  {
    requiredForClient: true,
    security: { apiKey: HttpApiSecurity.apiKey({ in: "header", key: "x-api-key" }) },
    error: errorSchemas("INVALID_API_KEY", "RATE_LIMITED", "FORBIDDEN_SCOPE")
  }
) {}

/**
 * Stores the response of a POST with an `Idempotency-Key`. A request that is repeated within 24 hours gets this
 * response. Failures of the service and temporary rejections are not stored, so the request can be repeated after them.
 */
export class IdempotentPost extends HttpApiMiddleware.Service<IdempotentPost, { requires: CurrentCaller }>()(
  "@countersign/http/IdempotentPost",
  { error: errorSchemas("IDEMPOTENCY_KEY_REUSED", "IDEMPOTENT_REQUEST_RUNNING", "BAD_REQUEST", "FORBIDDEN_SCOPE") }
) {}

/** Rejects JSON that exceeds a limit of depth, fields, elements or values, before a schema decodes it. */
export class BoundedJson extends HttpApiMiddleware.Service<BoundedJson>()("@countersign/http/BoundedJson", {
  error: errorSchemas("BAD_REQUEST", "PAYLOAD_TOO_LARGE")
}) {}

/** Converts the problems of a malformed request into one error body. */
export class MalformedRequest extends HttpApiMiddleware.Service<MalformedRequest>()(
  "@countersign/http/MalformedRequest",
  // Every endpoint declares METHOD_NOT_ALLOWED. The service returns it for a method that the path does not support, but
  // OpenAPI cannot declare responses for such a method.
  {
    error: errorSchemas(
      "BAD_REQUEST",
      "METHOD_NOT_ALLOWED",
      "REQUEST_TIMEOUT",
      "HEADERS_TOO_LARGE",
      "INTERNAL_SERVER_ERROR",
      "OVERLOADED"
    )
  }
) {}
