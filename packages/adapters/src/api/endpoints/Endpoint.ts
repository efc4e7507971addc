import type { Project, Scope } from "@countersign/core/tenancy/projects"
import type { Effect, Schema } from "effect"
import type { ErrorId } from "../errors/index.ts"
import type { Links } from "./links.ts"

/** Compute units are charged by these words; a cost of each is a setting of the HTTP server. */
export type CostName = "read" | "quote" | "slowQuote" | "portfolio"

/** Ids of the errors that every endpoint can answer with. They need not be declared. */
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

/** A page of a list, each item as it is in JSON, and the query of the next page; null after the last. */
export interface ListPage<A = unknown, R = never> {
  readonly items: ReadonlyArray<A>
  readonly next: Effect.Effect<ListPage<A, R>, never, R> | null
}

/** The answer to some calls as a list in pages. */
export interface StreamedList<C, R> {
  /** The field of the answer that has the list. */
  readonly field: string
  /** The fields beside it. */
  readonly others: Readonly<Record<string, unknown>>
  /** The first page of the list; null for a call whose whole answer `run` returns. */
  firstPage(call: C): Effect.Effect<ListPage<unknown, R>, never, R> | null
}

/**
 * One thing that can be asked of the service: what is given, what is answered, and what it runs. The HTTP API with its
 * reference, the library's promises and the command line's JSON derive from it.
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
   * The name of its call in the library, the client and the reference: group and method, as in `transfer.quote`. Without a group
   * the call belongs to the library or the client itself.
   */
  readonly id: string
  readonly method: "GET" | "POST" | "PATCH" | "DELETE"
  /** From the root, with `:name` for each of `params`. */
  readonly path: `/api/${string}`
  readonly summary: string
  readonly description: string
  readonly params?: Params
  readonly query?: Query
  readonly payload?: Payload
  /** Nothing is answered where there is none. */
  readonly success?: Success
  /**
   * The field of the answer that the call of the library or the client returns. Without it the call returns the whole answer. A list
   * whose query has `lastId` is returned item by item, and its pages are requested as they are needed.
   */
  readonly answers?: string
  /** Where it is not given: 200, and 204 where nothing is answered. */
  readonly status?: 201
  /** Besides those that every endpoint has. */
  readonly errors: ReadonlyArray<Id>
  /** The scope that the API key must have. */
  readonly scope: Scope
  /** Which cost is charged, and required before the request is decoded; null where nothing is charged. */
  readonly cost: CostName | null
  /** The cost of a call, where calls differ in it: `cost` is the lowest one. */
  costOf?(call: Omit<Call<Params, Query, Payload>, "project">): CostName
  /**
   * What a call takes of the processor and of nodes, as a multiple of a quote of one swap: it waits for a turn of its project.
   * A call begins at once where there is none.
   */
  effortOf?(call: Omit<Call<Params, Query, Payload>, "project">): number
  /** Query parameters that have a successor: an answer to them says so. */
  readonly deprecated?: ReadonlyArray<keyof Query & string>
  /** Fields of the answer that are shown once, and left out when it is repeated under an idempotency key. */
  readonly shownOnce?: ReadonlyArray<string>
  /** The example request of the reference. Required if the endpoint has parameters or a body. */
  readonly example?: Example
  /** Operations that use values of the answer. */
  readonly links?: Links
  /** An answer that may be longer than should be in memory: the HTTP server sends a list of several pages page by page. */
  readonly stream?: StreamedList<Call<Params, Query, Payload>, R>
  /**
   * The answer is an `EventSource`, which the HTTP server sends as server-sent events. The library and the client have calls of
   * their own for it.
   */
  readonly isEventStream?: true
  /** The answer is a `StoredFile`, whose bytes the HTTP server sends. The library and the client have no call for it. */
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
