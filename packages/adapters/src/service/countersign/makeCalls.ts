import { type AnyEndpoint, type CallShape, callableEndpoints, callShapeOf } from "../../api/endpoints/index.ts"
import type { Calls } from "./calls.ts"
import { ignoreNotFound, type ListResponse, pageItems } from "./combinedCalls.ts"
import type { CallEndpoint, CallOptions } from "./requests.ts"
import { addSignMethod } from "./signQuote.ts"

const callOf = (call: CallEndpoint, endpoint: AnyEndpoint, shape: CallShape) => {
  const { field, hasBody, hasQuery, isPaged, params } = shape
  return (...callArguments: Array<unknown>): unknown => {
    const input = {
      params: Object.fromEntries(params.map((name) => [name, callArguments.shift() as string])),
      ...(hasBody ? { payload: callArguments.shift() ?? {} } : {})
    }
    const query = hasQuery ? (callArguments.shift() as object | undefined) : undefined
    const options = callArguments[0] as CallOptions | undefined
    const requestPage = (query: object = {}) => call(endpoint)({ ...input, query }, options) as Promise<ListResponse>
    if (isPaged) return pageItems(field!, requestPage, query)
    const response = requestPage(query).then((body) => addSignMethod(field === null ? body : body[field]))
    return endpoint.method === "DELETE" ? response.catch(ignoreNotFound) : response
  }
}

const callShapes = callableEndpoints.map((endpoint) => ({ endpoint, shape: callShapeOf(endpoint) }))

/** Creates a call for each endpoint of the API, except event streams and files. */
export const makeCalls = (call: CallEndpoint): Calls => {
  const calls = {} as Calls & Record<string, Record<string, unknown>>
  for (const { endpoint, shape } of callShapes) {
    const members = { [shape.name]: callOf(call, endpoint, shape) }
    Object.assign(calls, shape.group === null ? members : { [shape.group]: { ...calls[shape.group], ...members } })
  }
  return calls
}
