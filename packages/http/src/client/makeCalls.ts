import type { Calls } from "./calls.ts"
import { ignoreNotFound, type ListResponse, pageItems } from "./combinedCalls.ts"
import type { CallOptions, Send } from "./http.ts"
import { requests } from "./requests.ts"
import { signable } from "./signing.ts"

const callOf = (send: Send, request: string) => {
  const [method = "", path = "", ...parts] = request.split(" ")
  const field = parts.find((part) => /^[.*]/u.test(part))
  return (...args: Array<unknown>): unknown => {
    const url = path.replace(/:\w+/gu, () => encodeURIComponent(String(args.shift())))
    const body = parts.includes("body") ? (args.shift() ?? {}) : undefined
    const query = parts.includes("query") ? (args.shift() as object | undefined) : undefined
    const options = args[0] as CallOptions | undefined
    const sendRequest = (query: object = {}) => send<ListResponse>(method, url, { ...options, body, query })
    if (field?.startsWith("*")) return pageItems(field.slice(1), sendRequest, query)
    const response = sendRequest(query).then((body) => signable(field === undefined ? body : body[field.slice(1)]))
    return method === "DELETE" ? response.catch(ignoreNotFound) : response
  }
}

export const makeCalls = (send: Send): Calls => {
  const callsOf = (table: typeof requests): object =>
    Object.fromEntries(
      Object.entries(table).map(([name, entry]) => [
        name,
        typeof entry === "string" ? callOf(send, entry) : callsOf(entry)
      ])
    )
  return callsOf(requests) as Calls
}
