import type { Project, Scope } from "@countersign/core/tenancy/projects"
import type { Effect, Schema } from "effect"
import type { ErrorId } from "../errors/index.ts"
import type { Links } from "./links.ts"

/** The cost categories of compute units. The HTTP server's settings define their values. */
export type CostName = "read" | "quote" | "slowQuote" | "portfolio"

/** Ids of the errors that every endpoint can return. An endpoint need not declare them. */
type SharedErrorId = "FORBIDDEN_SCOPE" | "BAD_REQUEST" | "OVERLOADED"

type FieldsType<Fields extends Schema.Struct.Fields> = Schema.Struct<Fields>["Type"]

/** The decoded input of an endpoint's caller. */
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

/** The example request of the reference. It succeeds on a sandbox. */
export interface Example {
  readonly body?: unknown
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** A page of a list, with each item in JSON format, and the query of the next page; null after the last page. */
export interface ListPage<A = unknown, R = never> {
  readonly items: ReadonlyArray<A>
  readonly next: Effect.Effect<ListPage<A, R>, never, R> | null
}

/** A response that is a paginated list for some calls. */
export interface StreamedList<C, R> {
  /** The response field with the list. */
  readonly field: string
  /** The other fields of the response. */
  readonly others: Readonly<Record<string, unknown>>
  /** The first page of the list; null for a call whose response `run` returns as a whole. */
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
   * The name of the call in the library, the client and the reference: group and method, as in `transfer.quote`. A call
   * without a group belongs to the library or the client itself.
   */
  readonly id: string
  readonly method: "GET" | "POST" | "PATCH" | "DELETE"
  /** The whole path, with `:name` for each path parameter in `params`. */
  readonly path: `/api/${string}`
  readonly summary: string
  readonly description: string
  readonly params?: Params
  readonly query?: Query
  readonly payload?: Payload
  /** Absent for an empty response. */
  readonly success?: Success
  /**
   * The response field that the call of the library or the client returns. Without it the call returns the whole
   * response. For a list whose query has `lastId`, the call returns the items one by one and requests the pages on
   * demand.
   */
  readonly answers?: string
  /** Default: 200, and 204 for an empty response. */
  readonly status?: 201
  /** The errors of this endpoint in addition to the errors that every endpoint has. */
  readonly errors: ReadonlyArray<Id>
  /** The required scope of the API key. */
  readonly scope: Scope
  /** The cost in compute units, which must be available before the request is decoded; null if the call is free. */
  readonly cost: CostName | null
  /** The cost of a call, if the cost differs between calls. `cost` is then the minimum. */
  costOf?(call: Omit<Call<Params, Query, Payload>, "project">): CostName
  /**
   * The processor and node load of a call, as a multiple of the load of one swap quote. The call waits for its
   * project's turn. Without this function a call begins immediately.
   */
  effortOf?(call: Omit<Call<Params, Query, Payload>, "project">): number
  /** Deprecated query parameters. The response to a request that uses one reports the deprecation. */
  readonly deprecated?: ReadonlyArray<keyof Query & string>
  /** Response fields that are returned only once: a repeat with the same idempotency key omits them. */
  readonly shownOnce?: ReadonlyArray<string>
  /** The example request of the reference. Required if the endpoint has parameters or a body. */
  readonly example?: Example
  /** Other endpoints that use values of the response. */
  readonly links?: Links
  /** For a response that may be too large for memory. The HTTP server sends a long list page by page. */
  readonly stream?: StreamedList<Call<Params, Query, Payload>, R>
  /**
   * The response is an `EventSource`, which the HTTP server sends as server-sent events. The library and the client
   * have separate calls for it.
   */
  readonly isEventStream?: true
  /**
   * The response is a `StoredFile`, whose bytes the HTTP server sends. The library and the client have no call for it.
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
    readonly answers?: keyof Success["Encoded"] & string
  }
): Endpoint<Params, Query, Payload, Success, Id, R> => definition
