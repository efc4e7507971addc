import type { AnyEndpoint } from "@countersign/adapters/api/endpoints"
import { Context, Effect, Fiber, Redacted, Schema, SchemaIssue, type Types } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApiEndpoint, HttpApiError, type HttpApiGroup } from "effect/http-api"
import { type apiOf, groupAndName, strictParseOptions } from "../api/apiOf.ts"
import { encodeErrorBody, isErrorBody } from "../errors/index.ts"
import { BoundedJson, IdempotentPost, MalformedRequest, ProjectAuth } from "../middleware/definitions.ts"
import { handlersOf } from "./handlersOf.ts"

const { HttpApiSchemaError } = HttpApiError

type HttpEndpoint = HttpApiEndpoint.Top

/** Removes the endpoint's errors and services from the type, because middlewares do not declare them. */
const forMiddleware = (response: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, unknown>) =>
  response as Effect.Effect<HttpServerResponse.HttpServerResponse, Types.unhandled>

const JSON_TYPE = "application/json"
const invalidJson = new Schema.SchemaError(new SchemaIssue.InvalidValue({ message: "Expected a valid JSON body" }))

/** Returns the media type without parameters. A body without a content type counts as JSON. */
const mediaTypeOf = (contentType = JSON_TYPE): string => contentType.split(";")[0]!.trim().toLowerCase()

type Decode = (input: unknown) => Effect.Effect<unknown, Schema.SchemaError>

const decoderOf = (schema: Schema.Top | undefined, options: typeof strictParseOptions | undefined): Decode | null =>
  schema === undefined ? null : Schema.decodeUnknownEffect(schema as Schema.Codec<unknown, unknown>, options)

const decodeJson = (decode: Decode, text: string): ReturnType<Decode> => {
  if (text === "") return decode(undefined)
  try {
    return decode(JSON.parse(text))
  } catch {
    return Effect.fail(invalidJson)
  }
}

/** Builds the decoder of an endpoint's requests. It responds with 415 if the body is not declared as JSON. */
const requestDecoder = ({ params, payload, query }: HttpEndpoint) => {
  const decodeParams = decoderOf(params, undefined)
  const decodeQuery = decoderOf(
    query === undefined ? undefined : Schema.toCodecArrayFromSingle(query),
    strictParseOptions
  )
  const decodeBody = decoderOf(payload.get(JSON_TYPE)?.schemas[0], strictParseOptions)
  return Effect.gen(function* () {
    const { context } = Fiber.getCurrent()!
    const request = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
    const decodedParts: { params?: unknown; query?: unknown; payload?: unknown } = {}
    if (decodeParams !== null) {
      const { params } = Context.getUnsafe(context, HttpRouter.RouteContext)
      decodedParts.params = yield* HttpApiSchemaError.wrap("Params", decodeParams(params))
    }
    if (decodeQuery !== null) {
      const query = Context.getUnsafe(context, HttpServerRequest.ParsedSearchParams)
      decodedParts.query = yield* HttpApiSchemaError.wrap("Query", decodeQuery(query))
    }
    if (decodeBody !== null) {
      if (mediaTypeOf(request.headers["content-type"]) !== JSON_TYPE) return HttpServerResponse.empty({ status: 415 })
      const text = yield* Effect.orDie(request.text)
      decodedParts.payload = yield* HttpApiSchemaError.wrap("Payload", decodeJson(decodeBody, text))
    }
    return decodedParts
  })
}

/** Builds the encoder of an endpoint's successful responses. */
const responseEncoder = ({ status, success }: AnyEndpoint, httpEndpoint: HttpEndpoint) => {
  const [schema] = httpEndpoint.success
  if (success === undefined) return () => Effect.succeed(HttpServerResponse.empty({ status: status ?? 204 }))
  const encode = Schema.encodeUnknownEffect(schema as Schema.Codec<unknown, unknown>)
  const options = { status: status ?? 200, contentType: JSON_TYPE }
  return (result: unknown) =>
    Effect.mapEager(HttpApiSchemaError.wrap("Body", encode(result)), (body) =>
      HttpServerResponse.text(JSON.stringify(body), options)
    )
}

/** Encodes an error body as a response. Any other error is a defect. */
const errorResponse = (error: unknown) =>
  isErrorBody(error)
    ? Effect.map(Effect.orDie(encodeErrorBody(error)), (body) =>
        HttpServerResponse.text(JSON.stringify(body), { status: error.statusCode, contentType: JSON_TYPE })
      )
    : Effect.die(error)

/**
 * Builds the routes of endpoints from their declarations in the `HttpApi`. Effect's `HttpApiBuilder` builds equivalent
 * routes, but copies all services of the process for each request.
 */
export const endpointRoutes = Effect.fnUntraced(function* (
  api: ReturnType<typeof apiOf>,
  servedEndpoints: ReadonlyArray<AnyEndpoint>
) {
  const handlerOf = yield* handlersOf
  const malformedRequest = yield* MalformedRequest
  const { apiKey } = yield* ProjectAuth
  const boundedJson = yield* BoundedJson
  const idempotentPost = yield* IdempotentPost

  return servedEndpoints.map((endpoint) => {
    const { group: groupId, name } = groupAndName(endpoint)
    const group = api.groups[groupId as never] as HttpApiGroup.Top
    const httpEndpoint = group.endpoints[name] as HttpEndpoint
    const options = { endpoint: httpEndpoint, group }
    const decode = requestDecoder(httpEndpoint)
    const encode = responseEncoder(endpoint, httpEndpoint)
    const handle = handlerOf(endpoint)
    const response = Effect.flatMap(decode, (request) =>
      HttpServerResponse.isHttpServerResponse(request)
        ? Effect.succeed(request)
        : Effect.flatMap(handle(request as Parameters<typeof handle>[0]), (result) =>
            HttpServerResponse.isHttpServerResponse(result) ? Effect.succeed(result) : encode(result)
          )
    )
    const { middlewares } = httpEndpoint
    const idempotentResponse = middlewares.has(IdempotentPost)
      ? idempotentPost(forMiddleware(response), options)
      : response
    const boundedResponse = middlewares.has(BoundedJson)
      ? boundedJson(forMiddleware(idempotentResponse), options)
      : idempotentResponse
    const authenticatedResponse = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
      apiKey(forMiddleware(boundedResponse), { ...options, credential: Redacted.make(headers["x-api-key"] ?? "") })
    )
    const finalResponse = malformedRequest(forMiddleware(authenticatedResponse), options)
    return HttpRouter.route(endpoint.method, endpoint.path, Effect.catch(finalResponse, errorResponse))
  })
})
