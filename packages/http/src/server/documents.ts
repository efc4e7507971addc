import type { AnyEndpoint } from "@countersign/adapters/api/endpoints"
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { ERRORS_PATH, type WireErrorId, wireErrors } from "../errors/index.ts"
import { type Examples, openApiDocument, openApiDocumentWith } from "../reference/index.ts"
import { DOCS_PATH, FAVICON_PATH, LLMS_PATH, OPENAPI_PATH } from "./documentPaths.ts"
import { CONTENT_SECURITY_POLICY, docsPage } from "./documents/docsPage.ts"
import { llmsText } from "./documents/llmsText.ts"

const escapeMarkup = (text: string): string =>
  text.replaceAll(/[&<>"']/gu, (character) => `&#${character.charCodeAt(0)};`)

/** Escapes a text for HTML, and converts its backquoted parts to `<code>`. */
const markup = (text: string): string => escapeMarkup(text).replaceAll(/`([^`]*)`/gu, "<code>$1</code>")

const entry = (id: WireErrorId): string =>
  `<section id="${id}"><h2><a href="#${id}">${id}</a> <small>${wireErrors[id].status}</small></h2>` +
  `<p>${markup(wireErrors[id].meaning)}</p><p>${markup(wireErrors[id].remedy)}</p></section>`

const style =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}" +
  "h2{font-size:1rem;margin:2rem 0 0}p{margin:.25rem 0}a{color:inherit}code,h2{font-family:ui-monospace,monospace}" +
  "small{opacity:.6}section:target{outline:2px solid;outline-offset:.5rem}"

/**
 * Builds the page that lists every error id with its meaning and solution. `doc_url` in error bodies links to this
 * page.
 */
export const errorsPage = (): string => {
  const ids = (Object.keys(wireErrors) as ReadonlyArray<WireErrorId>).toSorted()
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Countersign: errors</title>` +
    `<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="../favicon.svg">` +
    `<style>${style}</style></head><body><h1>Errors</h1>` +
    `<p>Every error body contains an <code>id</code>. This page lists the meaning and the solution of each error. ` +
    `<a href="../docs">API reference</a></p>${ids.map(entry).join("")}</body></html>`
  )
}

/** The icon of the service: a signature above a line. */
const favicon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f4d3a"/>' +
  '<path d="M7 19c3-9 6-11 6-7s-4 10-1 9 4-7 6-7-1 6 1 6 3-2 6-3" fill="none" stroke="#fff" stroke-width="2.2" ' +
  'stroke-linecap="round" stroke-linejoin="round"/><path d="M6 26h20" stroke="#8fd0b1" stroke-width="2"/></svg>'

/** Data of a sandbox that its API reference shows. */
export interface SandboxReference {
  readonly apiKey: string
  /**
   * The examples with values of the sandbox's chains. They are created for each page view, because some succeed only
   * once.
   */
  readonly examples: Effect.Effect<Examples>
}

/** Null if the service is not a sandbox. */
export const ReferenceOfSandbox = Context.Reference<Effect.Effect<SandboxReference | null>>(
  "@countersign/http/ReferenceOfSandbox",
  { defaultValue: () => Effect.succeed(null) }
)

const documentFor = (servedEndpoints: ReadonlyArray<AnyEndpoint>, sandbox: SandboxReference | null) =>
  sandbox === null
    ? Effect.sync(() => openApiDocument(servedEndpoints))
    : Effect.map(sandbox.examples, (examples) => openApiDocumentWith(servedEndpoints, examples))

/** Browsers cache a document only for a few minutes, because an update of the service can change it. */
const headers = { "cache-control": "public, max-age=300", "content-security-policy": CONTENT_SECURITY_POLICY }
/** Not cached, because the quotes in a sandbox's examples expire. */
const exampleHeaders = { ...headers, "cache-control": "no-store" }

/** Serves a document that the first request creates, even if its client disconnects. Later requests reuse it. */
const cachedDocument = (contentType: string, text: Effect.Effect<string>) =>
  Effect.cached(
    Effect.uninterruptible(Effect.map(text, (content) => HttpServerResponse.text(content, { contentType, headers })))
  )

const html = "text/html; charset=utf-8"

/** Serves the API reference for readers and for programs. */
export const layerDocuments = (servedEndpoints: ReadonlyArray<AnyEndpoint>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const sandbox = yield* Effect.cached(yield* ReferenceOfSandbox)
      const reference = Effect.flatMap(sandbox, (sandboxReference) => documentFor(servedEndpoints, sandboxReference))
      const page = Effect.gen(function* () {
        return yield* docsPage(yield* reference, (yield* sandbox)?.apiKey ?? null)
      })
      const exampleRoutes = [
        [OPENAPI_PATH, "application/json", Effect.map(reference, (document) => JSON.stringify(document))],
        [DOCS_PATH, html, page]
      ] as const
      for (const [path, contentType, text] of exampleRoutes) {
        const cachedResponse = yield* cachedDocument(contentType, text)
        const responseWithExamples = Effect.map(text, (content) =>
          HttpServerResponse.text(content, { contentType, headers: exampleHeaders })
        )
        yield* router.add(
          "GET",
          path,
          Effect.flatMap(sandbox, (sandboxReference) =>
            sandboxReference === null ? cachedResponse : responseWithExamples
          )
        )
      }
      const documents = [
        [ERRORS_PATH, html, Effect.sync(errorsPage)],
        [LLMS_PATH, "text/plain; charset=utf-8", Effect.sync(() => llmsText(servedEndpoints))],
        [FAVICON_PATH, "image/svg+xml", Effect.succeed(favicon)]
      ] as const
      for (const [path, contentType, text] of documents)
        yield* router.add("GET", path, yield* cachedDocument(contentType, text))
      yield* router.add("GET", "/", Effect.succeed(HttpServerResponse.redirect(DOCS_PATH)))
    })
  )
