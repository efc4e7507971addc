import type { Calls } from "./calls.ts"
import type { CountersignError } from "./errors.ts"
import type { CallOptions, Send } from "./http.ts"
import { requests } from "./requests.ts"
import { signable } from "./signing.ts"

type Answer = Readonly<Record<string, unknown>>

/** Iterates over all items of a paginated list, requesting each page on demand. */
async function* pages(field: string, page: (query: object) => Promise<Answer>, query: object | undefined) {
  let lastId: unknown
  do {
    const answer = await page(lastId === undefined ? { ...query } : { ...query, lastId })
    yield* answer[field] as Iterable<unknown>
    lastId = answer.nextLastId ?? undefined
  } while (lastId !== undefined)
}

/** The retry of a DELETE returns 404 if the first request removed the resource and its response was lost. */
const ignoreRemoved = (error: CountersignError): undefined => {
  if (!error.id?.endsWith("_NOT_FOUND")) throw error
}

const callOf = (send: Send, request: string) => {
  const [method = "", path = "", ...parts] = request.split(" ")
  const field = parts.find((part) => /^[.*]/u.test(part))
  return (...args: Array<unknown>): unknown => {
    const url = path.replace(/:\w+/gu, () => encodeURIComponent(String(args.shift())))
    const body = parts.includes("body") ? (args.shift() ?? {}) : undefined
    const query = parts.includes("query") ? (args.shift() as object | undefined) : undefined
    const options = args[0] as CallOptions | undefined
    const page = (query: object = {}) => send<Answer>(method, url, { ...options, body, query })
    if (field?.startsWith("*")) return pages(field.slice(1), page, query)
    const answer = page(query).then((answer) => signable(field === undefined ? answer : answer[field.slice(1)]))
    return method === "DELETE" ? answer.catch(ignoreRemoved) : answer
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
