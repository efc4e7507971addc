import { type IncomingMessage, request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { Data, Effect } from "effect"
import { guardedLookup, PrivateTarget, type Resolve } from "./guardedLookup.ts"
import { hostOf, isPrivateHost } from "./publicHost.ts"

/** A web page could not be read. */
export class PageUnreadable extends Data.TaggedError("PageUnreadable")<{ readonly reason: string }> {}

export interface PageOptions {
  /** Whether to also allow http URLs and private networks. */
  readonly allowPrivateTargets: boolean
  readonly maxBytes: number
  /** Total timeout in milliseconds, including redirects. */
  readonly timeoutMs: number
  /** Resolves a host name. Default: the system's resolver. */
  readonly resolve?: Resolve
}

const REDIRECTS_MAX = 3
const HEADER_BYTES_MAX = 16 * 1_024

const failUnreadable = (reason: string) => Effect.fail(new PageUnreadable({ reason }))

const targetOf = (text: string, { allowPrivateTargets }: PageOptions) => {
  const url = URL.parse(text)
  if (url === null) return failUnreadable("it has no URL")
  if (url.protocol !== "https:" && !(url.protocol === "http:" && allowPrivateTargets))
    return failUnreadable("its URL is not https")
  if (!allowPrivateTargets && isPrivateHost(hostOf(url))) return failUnreadable("it is in a private network")
  return Effect.succeed(url)
}

type PageResponse = { readonly text: string } | { readonly location: string }

const readResponse = (
  response: IncomingMessage,
  maxBytes: number,
  resume: (response: Effect.Effect<PageResponse, PageUnreadable>) => void
) => {
  const { headers, statusCode = 0 } = response
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
    response.destroy()
    return resume(Effect.succeed({ location: headers.location }))
  }
  if (statusCode !== 200) {
    response.destroy()
    return resume(failUnreadable(`it responded with ${statusCode}`))
  }
  const chunks: Array<Buffer> = []
  let size = 0
  response.on("data", (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) {
      response.destroy()
      return resume(failUnreadable(`it has more than ${maxBytes} bytes`))
    }
    chunks.push(chunk)
  })
  response.on("end", () => resume(Effect.succeed({ text: Buffer.concat(chunks).toString("utf8") })))
  response.on("error", () => resume(failUnreadable("the connection was closed")))
}

const requestPage = (url: URL, { allowPrivateTargets, maxBytes, resolve }: PageOptions) =>
  Effect.callback<PageResponse, PageUnreadable>((resume) => {
    const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
      ...(allowPrivateTargets ? {} : { lookup: guardedLookup(resolve) }),
      maxHeaderSize: HEADER_BYTES_MAX,
      headers: { accept: "application/json, */*;q=0.5", "user-agent": "Countersign/1" }
    })
    request.on("response", (response) => readResponse(response, maxBytes, resume))
    request.on("error", (cause: NodeJS.ErrnoException) =>
      resume(
        failUnreadable(cause instanceof PrivateTarget ? "it is in a private network" : (cause.code ?? cause.message))
      )
    )
    request.end()
    return Effect.sync(() => request.destroy())
  })

/**
 * Reads the text of a page whose URL is untrusted. Allows only https and public addresses, also for redirects, and
 * reads at most `maxBytes`. Does not use `httpHost`, because `fetch` has no `lookup` option to check the resolved
 * address.
 */
export const readPage = (text: string, options: PageOptions): Effect.Effect<string, PageUnreadable> => {
  const readFrom = (from: string, redirects: number): Effect.Effect<string, PageUnreadable> =>
    Effect.gen(function* () {
      const url = yield* targetOf(from, options)
      const response = yield* requestPage(url, options)
      if ("text" in response) return response.text
      if (redirects === 0) return yield* failUnreadable("it redirects too often")
      return yield* readFrom(URL.parse(response.location, url.href)?.href ?? "", redirects - 1)
    })
  return Effect.timeoutOrElse(readFrom(text, REDIRECTS_MAX), {
    duration: options.timeoutMs,
    orElse: () => failUnreadable(`no response within ${options.timeoutMs} ms`)
  })
}
