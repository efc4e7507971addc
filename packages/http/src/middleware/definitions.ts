import type { Caller } from "@countersign/core/projects"
import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { errorSchemas } from "../errors/index.ts"

/** Who made the current request. */
export class CurrentCaller extends Context.Service<CurrentCaller, Caller>()("@countersign/http/CurrentCaller") {}

/** Turns `x-api-key` into the caller. */
export class ProjectAuth extends HttpApiMiddleware.Service<ProjectAuth, { provides: CurrentCaller }>()(
  "@countersign/http/ProjectAuth",
  {
    requiredForClient: true,
    security: { apiKey: HttpApiSecurity.apiKey({ in: "header", key: "x-api-key" }) },
    error: errorSchemas("INVALID_API_KEY", "RATE_LIMITED")
  }
) {}

/** Answers a POST under an `Idempotency-Key` once, and its repeats with that answer. */
export class IdempotentPost extends HttpApiMiddleware.Service<IdempotentPost, { requires: CurrentCaller }>()(
  "@countersign/http/IdempotentPost",
  { error: errorSchemas("IDEMPOTENCY_KEY_REUSED", "IDEMPOTENT_REQUEST_RUNNING", "BAD_REQUEST", "FORBIDDEN_SCOPE") }
) {}

/** Refuses JSON that is nested more deeply than is allowed, before it is parsed. */
export class BoundedJson extends HttpApiMiddleware.Service<BoundedJson>()("@countersign/http/BoundedJson", {
  error: errorSchemas("BAD_REQUEST", "PAYLOAD_TOO_LARGE")
}) {}

/** Turns every way in which a request can be malformed into one body that lists them. */
export class MalformedRequest extends HttpApiMiddleware.Service<MalformedRequest>()(
  "@countersign/http/MalformedRequest",
  // A path answers METHOD_NOT_ALLOWED to methods that it does not take: OpenAPI has no place for it but those it takes.
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
