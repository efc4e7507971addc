import type { Project } from "@countersign/core/tenancy/projects"
import { Effect, Schema } from "effect"
import type { ErrorId } from "../errors/index.ts"
import type { Endpoint } from "./Endpoint.ts"
import { inTurn } from "./inTurn.ts"
import { decoderOf, encoderOf } from "./json.ts"

type ScalarParameter = string | number | boolean

/**
 * Parameters that are text in the API. Callers in this process may pass numbers, booleans, dates and lists without
 * conversion.
 */
export type TextInput<Fields extends Schema.Struct.Fields> = {
  readonly [Name in keyof Fields]?: ScalarParameter | Date | ReadonlyArray<ScalarParameter> | undefined
}

/** The input of a call, in the API's format. */
export interface CallInput<
  Params extends Schema.Struct.Fields,
  Query extends Schema.Struct.Fields,
  Payload extends Schema.Codec<unknown, unknown>
> {
  readonly params?: TextInput<Params>
  readonly query?: TextInput<Query>
  readonly payload?: Payload["Encoded"]
}

const textOf = (value: ScalarParameter | Date): string => (value instanceof Date ? value.toISOString() : String(value))

const textsOf = <Fields extends Schema.Struct.Fields>(input: TextInput<Fields>) =>
  Object.fromEntries(
    Object.entries<ScalarParameter | Date | ReadonlyArray<ScalarParameter> | undefined>(input).flatMap(
      ([name, value]) =>
        value === undefined
          ? []
          : [[name, Array.isArray(value) ? value.map(textOf) : textOf(value as ScalarParameter | Date)]]
    )
  )

const structOf = <Fields extends Schema.Struct.Fields>(fields: Fields | undefined) =>
  Schema.make<Schema.Codec<Schema.Struct<Fields>["Type"], unknown>>(Schema.Struct(fields ?? {}).ast)

/**
 * Builds a function that runs an endpoint for a caller in this process. Input and output have the API's format: plain
 * JSON with the documented fields. The schemas are compiled only once.
 */
export const endpointRunnerOf = <
  Params extends Schema.Struct.Fields,
  Query extends Schema.Struct.Fields,
  Payload extends Schema.Codec<unknown, unknown>,
  Success extends Schema.Codec<unknown, unknown>,
  R
>({
  params,
  payload,
  query,
  success,
  ...endpoint
}: Endpoint<Params, Query, Payload, Success, ErrorId, R>) => {
  const decodeParams = decoderOf(structOf(params))
  const decodeQuery = decoderOf(structOf(query))
  const decodePayload = payload === undefined ? () => Effect.succeed(undefined) : decoderOf(payload)
  const encode = success === undefined ? Effect.succeed : encoderOf(success)
  return Effect.fnUntraced(function* (project: Project, input: CallInput<Params, Query, Payload>) {
    const call = {
      project,
      params: yield* decodeParams(textsOf(input.params ?? {})),
      query: yield* decodeQuery(textsOf(input.query ?? {})),
      payload: (yield* decodePayload(input.payload)) as Payload["Type"]
    }
    const response = yield* inTurn(project.id, endpoint.weightOf?.(call) ?? 0, endpoint.run(call))
    return (yield* encode(response)) as Success["Encoded"]
  })
}
