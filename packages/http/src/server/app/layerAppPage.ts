import type { IncomingMessage } from "node:http"
import { toIncomingMessage } from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ReferenceOfSandbox } from "../documents.ts"
import { errorResponse } from "../fallbackErrors.ts"
import { isLocalRequest } from "../hosts.ts"
import { requestInfo } from "../RequestInfo.ts"
import { appFiles, type PageName } from "./appFiles.ts"
import { APP_POLICY, type HashedFile, indexPage, toHashedFiles } from "./indexPage.ts"

const securityHeaders = (cacheControl: string) => ({
  "cache-control": cacheControl,
  "content-security-policy": APP_POLICY,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
})

const respondWithFile = ({ contentType, text }: HashedFile) =>
  HttpServerResponse.text(text, { contentType, headers: securityHeaders("public, max-age=31536000, immutable") })

const notFoundResponse = (message: string) => errorResponse("NOT_FOUND", message, requestInfo().traceId)

const LOCAL_ONLY =
  "The service shows this page only to browsers on its own machine. To allow other machines, the operator sets ADMIN_CONSOLE=on."

export interface AppPage {
  readonly name: PageName
  /** Whether only browsers on the service's machine can open the page. */
  readonly isLocalOnly: boolean
}

/** Serves a page at the path of its name. The files are read at the first request. */
export const layerAppPage = ({ isLocalOnly, name }: AppPage) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const sandbox = yield* Effect.cached(yield* ReferenceOfSandbox)
      const files = yield* Effect.cached(
        Effect.uninterruptible(Effect.map(Effect.promise(appFiles), (filesByPage) => toHashedFiles(filesByPage[name])))
      )
      const addPage = <E, R>(path: `/${string}`, page: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
        router.add(
          "GET",
          path,
          Effect.gen(function* () {
            const message = toIncomingMessage(yield* HttpServerRequest.HttpServerRequest) as IncomingMessage
            return isLocalOnly && !isLocalRequest(message) ? notFoundResponse(LOCAL_ONLY) : yield* page
          })
        )
      yield* addPage(
        `/${name}`,
        Effect.gen(function* () {
          const html = indexPage(name, yield* files, (yield* sandbox)?.apiKey ?? null)
          return HttpServerResponse.text(html, {
            contentType: "text/html; charset=utf-8",
            headers: securityHeaders("no-cache")
          })
        })
      )
      yield* addPage(
        `/${name}/:file`,
        Effect.gen(function* () {
          const { file } = yield* HttpRouter.params
          const requestedFile = Object.values(yield* files).find((each) => each.name === file)
          return requestedFile === undefined
            ? notFoundResponse(
                "This file of the page does not exist, for example after an update of the service. Reload the page."
              )
            : respondWithFile(requestedFile)
        })
      )
    })
  )
