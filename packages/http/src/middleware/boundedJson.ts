import { BadRequest } from "@countersign/core/errors"
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { toErrorBody } from "../errors/index.ts"
import { BoundedJson } from "./definitions.ts"

/**
 * How deeply arrays and objects are nested in a JSON text, counting no further than `limit` + 1.
 * It reads the text, because parsing deeply nested JSON is the work to avoid.
 */
export const jsonDepth = (text: string, limit: number): number => {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i)
    if (inString) {
      if (character === 0x5c) i += 1
      else if (character === 0x22) inString = false
      continue
    }
    if (character === 0x22) inString = true
    else if (character === 0x7b || character === 0x5b) {
      depth += 1
      if (depth > deepest) deepest = depth
      if (deepest > limit) return deepest
    } else if (character === 0x7d || character === 0x5d) depth -= 1
  }
  return deepest
}

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
