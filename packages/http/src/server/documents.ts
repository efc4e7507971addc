import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import type { AnyEndpoint } from "@countersign/adapters/endpoints"
import { Context, Effect, Layer, Semaphore } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ERRORS_PATH } from "../errors/index.ts"
import { openApiDocument } from "../reference/index.ts"
import { DOCS_PATH, FAVICON_PATH, OPENAPI_PATH } from "./documentPaths.ts"
import { CONTENT_SECURITY_POLICY, docsPage } from "./documents/docsPage.ts"
import { errorsPage } from "./documents/errorsPage.ts"
import { favicon } from "./documents/favicon.ts"

/** Compressed once and kept: what a client takes of them costs no more than sending it. */
interface Document {
  readonly etag: string
  readonly contentType: string
  readonly bodies: { readonly identity: Uint8Array; readonly gzip: Uint8Array; readonly br: Uint8Array }
}

type Encoding = keyof Document["bodies"]

const compressed = {
  gzip: promisify(gzip),
  // The highest of its levels would take seconds.
  br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
}

const documentOf = async (contentType: string, text: string): Promise<Document> => {
  const identity = new TextEncoder().encode(text)
  const [gzip, br] = await Promise.all([compressed.gzip(identity), compressed.br(identity)])
  const etag = `"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`
  return { etag, contentType, bodies: { identity, gzip, br } }
}

/** The best that the client takes, by its Accept-Encoding: of what it wants less than something else, nothing is known. */
export const encodingFor = (accepted = ""): Encoding => {
  const taken = accepted
    .split(",")
    .map((one) => one.trim().toLowerCase())
    .filter((one) => !/;\s*q=0(?:\.0*)?$/u.test(one))
    .map((one) => one.split(";")[0])
  return taken.includes("br") ? "br" : taken.includes("gzip") ? "gzip" : "identity"
}

/** Whether the client has the document already, by its If-None-Match: a proxy may have marked the tag as weak. */
export const isKnown = (etag: string, ifNoneMatch = ""): boolean =>
  ifNoneMatch.split(",").some((one) => one.trim().replace(/^W\//u, "") === etag)

/** Kept by browsers for a while, and asked for again by its tag: another version of the service has another document. */
const CACHE_CONTROL = "public, max-age=300"

const answerWith = (document: Document, { headers }: HttpServerRequest.HttpServerRequest) => {
  const encoding = encodingFor(headers["accept-encoding"])
  const common = {
    etag: document.etag,
    "cache-control": CACHE_CONTROL,
    vary: "accept-encoding",
    "content-security-policy": CONTENT_SECURITY_POLICY
  }
  if (isKnown(document.etag, headers["if-none-match"]))
    return HttpServerResponse.empty({ status: 304, headers: common })
  return HttpServerResponse.uint8Array(document.bodies[encoding], {
    contentType: document.contentType,
    headers: encoding === "identity" ? common : { ...common, "content-encoding": encoding }
  })
}

/** The key that the reference has in place, for the sandbox, where everybody may know it; null for none. */
export const ReferenceApiKey = Context.Reference<Effect.Effect<string | null>>("@countersign/http/ReferenceApiKey", {
  defaultValue: () => Effect.succeed(null)
})

/** What the first request makes, and the others are answered with. */
const kept = (contentType: string, text: Effect.Effect<string>): Effect.Effect<Document> => {
  let document: Document | undefined
  const turn = Semaphore.makeUnsafe(1)
  const make = Effect.gen(function* () {
    if (document !== undefined) return document
    const words = yield* text
    document = yield* Effect.promise(() => documentOf(contentType, words))
    return document
  })
  return Effect.suspend(() => (document === undefined ? Semaphore.withPermit(turn, make) : Effect.succeed(document)))
}

const html = "text/html; charset=utf-8"

/** The reference of the API, for persons and for programs. */
export const layerDocuments = (served: ReadonlyArray<AnyEndpoint>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const apiKey = yield* ReferenceApiKey
      const documents = [
        [
          OPENAPI_PATH,
          kept(
            "application/json",
            Effect.sync(() => JSON.stringify(openApiDocument(served)))
          )
        ],
        [
          DOCS_PATH,
          kept(
            html,
            Effect.flatMap(apiKey, (key) => docsPage(openApiDocument(served), key))
          )
        ],
        [ERRORS_PATH, kept(html, Effect.sync(errorsPage))],
        [FAVICON_PATH, kept("image/svg+xml", Effect.succeed(favicon))]
      ] as const
      for (const [path, document] of documents) {
        yield* router.add(
          "GET",
          path,
          Effect.gen(function* () {
            return answerWith(yield* document, yield* HttpServerRequest.HttpServerRequest)
          })
        )
      }
      yield* router.add("GET", "/", Effect.succeed(HttpServerResponse.redirect(DOCS_PATH)))
    })
  )
