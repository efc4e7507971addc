import { BadRequest, type RequestProblem } from "@countersign/core/errors"
import { Array, Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { errorOf } from "../errors/index.ts"
import { BoundedJson, type ServedEndpoint, servedEndpointOf } from "./definitions.ts"
import { defaultJsonLimits, jsonProblemOrNull } from "./jsonProblem.ts"
import { longArraysOf } from "./longArrays.ts"

/** How large the JSON of a request may be, whatever its schema allows. */
export const JsonLimitsOfRequests = Context.Reference("@countersign/http/JsonLimitsOfRequests", {
  defaultValue: () => defaultJsonLimits
})

const parsedOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // The decoder of the body says that it is not JSON.
    return null
  }
}

export const layerBoundedJson = Layer.effect(
  BoundedJson,
  Effect.map(JsonLimitsOfRequests, (limits) => {
    const byEndpoint = new WeakMap<ServedEndpoint["Service"], ReturnType<typeof longArraysOf>>()

    const longArraysIn = (endpoint: ServedEndpoint["Service"], text: string): ReadonlyArray<RequestProblem> => {
      const { payload } = endpoint
      if (payload === undefined) return []
      const longArrays = byEndpoint.get(endpoint) ?? longArraysOf(payload.ast)
      byEndpoint.set(endpoint, longArrays)
      return longArrays === null ? [] : longArrays(parsedOrNull(text))
    }

    return BoundedJson.of((answer, { endpoint }) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const text = yield* Effect.orDie(request.text)
        const problem = jsonProblemOrNull(text, limits)
        const problems = problem === null ? longArraysIn(servedEndpointOf(endpoint), text) : [{ path: "", ...problem }]
        if (!Array.isReadonlyArrayNonEmpty(problems)) return yield* answer
        return yield* Effect.fail(errorOf("body")(new BadRequest({ problems })))
      })
    )
  })
)
