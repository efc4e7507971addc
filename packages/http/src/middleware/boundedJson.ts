import type { AnyEndpoint } from "@countersign/adapters/api/endpoints"
import { BadRequest, type RequestProblem } from "@countersign/core/foundation/errors"
import { Array, Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { errorBodyOf } from "../errors/index.ts"
import { BoundedJson, servedEndpointOf } from "./definitions.ts"
import { defaultJsonLimits, jsonProblemOrNull } from "./jsonProblem.ts"
import { longArraysOf } from "./longArrays.ts"

/** Limits of the JSON in request bodies, which apply before a schema decodes it. */
export const JsonLimitsOfRequests = Context.Reference("@countersign/http/JsonLimitsOfRequests", {
  defaultValue: () => defaultJsonLimits
})

const parseJsonOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // Ignored here, because the body's decoder reports invalid JSON.
    return null
  }
}

export const layerBoundedJson = Layer.effect(
  BoundedJson,
  Effect.map(JsonLimitsOfRequests, (limits) => {
    const longArraysByEndpoint = new Map<AnyEndpoint, ReturnType<typeof longArraysOf>>()

    /** Caches the check of array lengths per endpoint. */
    const longArraysFor = (endpoint: AnyEndpoint) => {
      if (!longArraysByEndpoint.has(endpoint)) {
        longArraysByEndpoint.set(endpoint, endpoint.payload === undefined ? null : longArraysOf(endpoint.payload.ast))
      }
      return longArraysByEndpoint.get(endpoint) ?? null
    }

    const longArraysIn = (endpoint: AnyEndpoint, text: string): ReadonlyArray<RequestProblem> =>
      longArraysFor(endpoint)?.(parseJsonOrNull(text)) ?? []

    return BoundedJson.of((response, { endpoint }) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const text = yield* Effect.orDie(request.text)
        const problem = jsonProblemOrNull(text, limits)
        const problems = problem === null ? longArraysIn(servedEndpointOf(endpoint), text) : [{ path: "", ...problem }]
        if (!Array.isReadonlyArrayNonEmpty(problems)) return yield* response
        return yield* Effect.fail(errorBodyOf("body")(new BadRequest({ problems })))
      })
    )
  })
)
