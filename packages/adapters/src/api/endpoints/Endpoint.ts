import type { Project, Scope } from "@countersign/core/tenancy/projects"
import type { Effect, Schema } from "effect"
import type { ErrorId } from "../errors/index.ts"
import type { Links } from "./links.ts"

/** The cost categories of compute units. The HTTP server's settings define their values. */
export type CostName = "read" | "quote" | "slowQuote" | "portfolio"

/** Ids of the errors that every endpoint can return. An endpoint need not declare them. */
type SharedErrorId = "FORBIDDEN_SCOPE" | "BAD_REQUEST" | "OVERLOADED"

type FieldsType<Fields extends Schema.Struct.Fields> = Schema.Struct<Fields>["Type"]

/** The decoded input of an endpoint, and the project that calls it. */
export interface Call<
  Params extends Schema.Struct.Fields,
  Query extends Schema.Struct.Fields,
  Payload extends Schema.Codec<unknown, unknown>
> {
  readonly project: Project
  readonly params: FieldsType<Params>
  readonly query: FieldsType<Query>
  readonly payload: Payload["Type"]
}

/** The example request in the API reference. A sandbox replaces placeholders with its own values. */
export interface Example {
  readonly body?: unknown
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** A page of a list. `items` are in the API's JSON format. `next` reads the next page; null on the last page. */
export interface ListPage<A = unknown, R = never> {
  readonly items: ReadonlyArray<A>
  readonly next: Effect.Effect<ListPage<A, R>, never, R> | null
}

/** A response that is a paginated list, at least for some calls of the endpoint. */
export interface StreamedList<C, R> {
  /** Name of the response field that contains the list. */
  readonly field: string
  /** The other fields of the response. */
  readonly others: Readonly<Record<string, unknown>>
  /** Reads the first page of the list. Null if the response to this call is not streamed but returned by `run`. */
  firstPage(call: C): Effect.Effect<ListPage<unknown, R>, never, R> | null
}

/**
 * One operation of the service: its input, its output and its implementation. The HTTP API and its reference, the
 * library's calls, and the JSON output of the command line derive from it.
 */
export interface Endpoint<
  Params extends Schema.Struct.Fields,
  Query extends Schema.Struct.Fields,
  Payload extends Schema.Codec<unknown, unknown>,
  Success extends Schema.Codec<unknown, unknown>,
  Id extends ErrorId,
  R
> {
  /**
   * The id of the call in the library, the client and the reference: group and method, as in `transfer.quote`. A call
   * without a group is a method of the library or client object itself.
   */
  readonly id: string
  readonly method: "GET" | "POST" | "PATCH" | "DELETE"
  /** The full path, with `:name` for each path parameter in `params`. */
  readonly path: `/api/${string}`
  readonly summary: string
  readonly description: string
  readonly params?: Params
  readonly query?: Query
  readonly payload?: Payload
  /** Absent if the response is empty. */
  readonly success?: Success
  /**
   * The response field that the call of the library or the client returns. If absent, the call returns the entire
   * response. If the field is a list and the query has `lastId`, the call returns the items one by one and requests the
   * next page when needed.
   */
  readonly responses?: string
  /** Default: 200, or 204 if the response is empty. */
  readonly status?: 201
  /** The errors of this endpoint in addition to those that every endpoint can return. */
  readonly errors: ReadonlyArray<Id>
  /** The scope that the API key needs. */
  readonly scope: Scope
  /**
   * The cost in compute units. The project must have these units before the request is decoded. Null if the call is
   * free.
   */
  readonly cost: CostName | null
  /** Returns the cost of a call, if the cost differs between calls. `cost` is then the minimum. */
  costOf?(call: Omit<Call<Params, Query, Payload>, "project">): CostName
  /**
   * Returns the processor and node load of a call, as a multiple of the load of one swap quote. The call waits for its
   * project's turn. If absent, a call starts immediately.
   */
  weightOf?(call: Omit<Call<Params, Query, Payload>, "project">): number
  /** Deprecated query parameters. If a request uses one of them, the response reports the deprecation. */
  readonly deprecated?: ReadonlyArray<keyof Query & string>
  /** Response fields that are returned only once: the response to a repeat with the same idempotency key omits them. */
  readonly shownOnce?: ReadonlyArray<string>
  /** The example request in the API reference. Required if the endpoint has parameters or a body. */
  readonly example?: Example
  /** Other endpoints that use values of the response. */
  readonly links?: Links
  /** Present if the response may be too large for memory. The HTTP server then sends the list page by page. */
  readonly stream?: StreamedList<Call<Params, Query, Payload>, R>
  /**
   * True if the response is an `EventSource`, which the HTTP server sends as server-sent events. The library and the
   * client implement this call separately.
   */
  readonly isEventStream?: true
  /**
   * True if the response is a `StoredFile`, whose bytes the HTTP server sends. The library and the client have no call
   * for it.
   */
  readonly isFile?: true
  run(
    call: Call<Params, Query, Payload>
  ): Effect.Effect<Success["Type"], { readonly _tag: Id | SharedErrorId; readonly message: string }, R>
}

export const endpoint = <
  const Params extends Schema.Struct.Fields = Record<never, never>,
  const Query extends Schema.Struct.Fields = Record<never, never>,
  Payload extends Schema.Codec<unknown, unknown> = Schema.Void,
  Success extends Schema.Codec<unknown, unknown> = Schema.Void,
  const Id extends ErrorId = never,
  R = never
>(
  definition: Endpoint<Params, Query, Payload, Success, Id, R> & {
    readonly responses?: keyof Success["Encoded"] & string
  }
): Endpoint<Params, Query, Payload, Success, Id, R> => definition
