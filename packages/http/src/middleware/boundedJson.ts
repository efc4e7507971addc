import { BadRequest } from "@countersign/core/errors"
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { toErrorBody } from "../errors/index.ts"
import { BoundedJson } from "./definitions.ts"
import { jsonDepth } from "./jsonDepth.ts"

/** How deeply a request's arrays and objects may be nested. The contract's own requests take a few levels. */
export const MaxJsonDepth = Context.Reference<number>("@countersign/http/MaxJsonDepth", { defaultValue: () => 32 })

export const layerBoundedJson = Layer.effect(
  BoundedJson,
  Effect.map(MaxJsonDepth, (limit) => {
    const tooDeep = BadRequest.of("body", "too_deep", `Expected JSON nested at most ${limit} levels deep.`)
    return BoundedJson.of((answer) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const text = yield* Effect.orDie(request.text)
        return jsonDepth(text, limit) > limit ? yield* Effect.fail(toErrorBody(tooDeep)) : yield* answer
      })
    )
  })
)
