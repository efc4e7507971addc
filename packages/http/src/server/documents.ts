import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { Effect, Layer, Semaphore } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { DOCS_PATH, OPENAPI_PATH } from "./documentPaths.ts"

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

const documentOf = async (contentType: string, identity: Uint8Array): Promise<Document> => {
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
  const common = { etag: document.etag, "cache-control": CACHE_CONTROL, vary: "accept-encoding" }
  if (isKnown(document.etag, headers["if-none-match"]))
    return HttpServerResponse.empty({ status: 304, headers: common })
  return HttpServerResponse.uint8Array(document.bodies[encoding], {
    contentType: document.contentType,
    headers: encoding === "identity" ? common : { ...common, "content-encoding": encoding }
  })
}

const layerOpenApi = Layer.effectDiscard(
  Effect.flatMap(HttpRouter.HttpRouter, (router) =>
    router.add(
      "GET",
      OPENAPI_PATH,
      Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApi.fromApi(Api)))
    )
  )
)

/** Answers with the document that the first request has made. */
const keptDocuments = HttpRouter.middleware(
  Effect.sync(() => {
    const documents = new Map<string, Document>()
    const turn = Semaphore.makeUnsafe(1)
    return (httpEffect) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { path } = (yield* HttpRouter.RouteContext).route
        const make = Effect.gen(function* () {
          const made = documents.get(path)
          if (made !== undefined) return made
          const { body } = yield* httpEffect
          if (body._tag !== "Uint8Array") return yield* Effect.die(new Error(`${path} is no document`))
          const document = yield* Effect.promise(() => documentOf(body.contentType, body.body))
          documents.set(path, document)
          return document
        })
        return answerWith(documents.get(path) ?? (yield* Semaphore.withPermit(turn, make)), request)
      })
  })
).layer

/** The reference of the API, for persons and for programs. */
export const layerDocuments = Layer.mergeAll(layerOpenApi, HttpApiScalar.layer(Api, { path: DOCS_PATH })).pipe(
  Layer.provide(keptDocuments)
)
