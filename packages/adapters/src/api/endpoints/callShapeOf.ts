/** The parameters and the result of an endpoint's call in the library and the client. */
export interface CallShape {
  /** Null if the call is a method of the library or client object itself. */
  readonly group: string | null
  readonly name: string
  /** Names of the path parameters, in order. The call takes them first, then the body, the query and the options. */
  readonly params: ReadonlyArray<string>
  readonly hasBody: boolean
  readonly hasQuery: boolean
  /** The response field that the call returns; null if it returns the entire response. */
  readonly field: string | null
  /** Whether the call returns the items of a paginated list. */
  readonly isPaged: boolean
}

interface NamedEndpoint {
  readonly id: string
  readonly path: string
  readonly responses?: string
  readonly payload?: unknown
  readonly query?: object
}

export const callShapeOf = ({ responses, id, path, payload, query }: NamedEndpoint): CallShape => {
  const [group, name] = id.includes(".") ? (id.split(".") as [string, string]) : [null, id]
  return {
    group,
    name,
    params: [...path.matchAll(/:(\w+)/gu)].map(([, param]) => param!),
    hasBody: payload !== undefined,
    hasQuery: query !== undefined,
    field: responses ?? null,
    isPaged: responses !== undefined && query !== undefined && "lastId" in query
  }
}
