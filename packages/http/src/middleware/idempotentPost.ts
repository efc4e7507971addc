import { createHash } from "node:crypto"
import { BadRequest } from "@countersign/core/errors"
import { Idempotency, type StoredAnswer } from "@countersign/core/idempotency"
import { Effect, Layer, Result, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { toBody } from "../errors/index.ts"
import { requestInfo } from "../server/RequestInfo.ts"
import { CurrentCaller, IdempotentPost } from "./definitions.ts"

const acceptableKey = /^[\x21-\x7e]{1,255}$/u

/** What makes two requests the same. The length of each part keeps parts from running into one another. */
const fingerprintOf = (parts: ReadonlyArray<string>): string => {
  const hash = createHash("sha256")
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:${part}`)
  return hash.digest("hex")
}

const decoder = new TextDecoder()

/** A refusal as the handler fails with it, before it becomes a response. */
const Refusal = Schema.Struct({ statusCode: Schema.Int, id: Schema.String })
const isRefusal = Schema.is(Refusal)

type Answer = Result.Result<HttpServerResponse.HttpServerResponse, unknown>

/** Our own failures and a full house are not kept: a repeat should find out anew. */
const isWorthKeeping = (status: number): boolean => status < 500 && status !== 429

const storedAnswer = (answer: Answer): StoredAnswer | null => {
  if (Result.isFailure(answer)) {
    const { failure } = answer
    return isRefusal(failure) && isWorthKeeping(failure.statusCode)
      ? { status: failure.statusCode, contentType: "application/json", body: JSON.stringify(failure) }
      : null
  }
  const { body, status } = answer.success
  if (!isWorthKeeping(status)) return null
  if (body._tag === "Empty") return { status, contentType: "", body: "" }
  return body._tag === "Uint8Array" ? { status, contentType: body.contentType, body: decoder.decode(body.body) } : null
}

const restored = ({ body, contentType, status }: StoredAnswer): HttpServerResponse.HttpServerResponse => {
  requestInfo().replayed = true
  return contentType === ""
    ? HttpServerResponse.empty({ status })
    : HttpServerResponse.text(body, { status, contentType })
}

export const layerIdempotentPost = Layer.effect(
  IdempotentPost,
  Effect.gen(function* () {
    const idempotency = yield* Idempotency
    return IdempotentPost.of((answer) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const key = request.headers["idempotency-key"]
        if (key === undefined) return yield* answer
        if (!acceptableKey.test(key)) {
          return yield* Effect.fail(
            toBody(
              BadRequest.of(
                "headers.idempotency-key",
                "invalid",
                "Expected 1 to 255 visible ASCII characters without spaces."
              )
            )
          )
        }
        const { project } = yield* CurrentCaller
        const body = yield* Effect.orDie(request.text)
        return yield* idempotency
          .once(
            { projectId: project.id, key, fingerprint: fingerprintOf([request.method, request.url, body]) },
            {
              answer: Effect.result(answer),
              store: storedAnswer,
              restore: (stored) => Result.succeed(restored(stored))
            }
          )
          .pipe(
            Effect.catchTag(["IDEMPOTENCY_KEY_REUSED", "IDEMPOTENT_REQUEST_RUNNING"], (error) =>
              Effect.fail(toBody(error))
            ),
            Effect.flatMap(Effect.fromResult)
          )
      })
    )
  })
)
