import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { APP_PATH } from "../documentPaths.ts"
import { ReferenceOfSandbox } from "../documents.ts"
import { errorResponse } from "../fallbackErrors.ts"
import { requestInfo } from "../RequestInfo.ts"
import { appFiles } from "./appFiles.ts"
import { APP_POLICY, indexPage, type NamedFile, namedFiles } from "./indexPage.ts"

const guarded = (cacheControl: string) => ({
  "cache-control": cacheControl,
  "content-security-policy": APP_POLICY,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
})

const answerFile = ({ contentType, text }: NamedFile) =>
  HttpServerResponse.text(text, { contentType, headers: guarded("public, max-age=31536000, immutable") })

const notFound = () => errorResponse("NOT_FOUND", "The page has no such file. Load it again.", requestInfo().traceId)

/** A page for people: wallets, what they hold and have done, and a swap to try. Read when it is first asked for. */
export const layerAppPage = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const sandbox = yield* Effect.cached(yield* ReferenceOfSandbox)
    const files = yield* Effect.cached(Effect.uninterruptible(Effect.map(Effect.promise(appFiles), namedFiles)))
    yield* router.add(
      "GET",
      APP_PATH,
      Effect.gen(function* () {
        const html = indexPage(yield* files, (yield* sandbox)?.apiKey ?? null)
        return HttpServerResponse.text(html, { contentType: "text/html; charset=utf-8", headers: guarded("no-cache") })
      })
    )
    yield* router.add(
      "GET",
      `${APP_PATH}/:file`,
      Effect.gen(function* () {
        const { file } = yield* HttpRouter.params
        const found = Object.values(yield* files).find(({ name }) => name === file)
        return found === undefined ? notFound() : answerFile(found)
      })
    )
  })
)
