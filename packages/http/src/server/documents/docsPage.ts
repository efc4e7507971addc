import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApi, HttpApiScalar } from "effect/http-api"
import type { Node } from "../../reference/index.ts"

/** Scalar's own page, from which the script is taken. It has 3 MB and is loaded at the first request. */
const scalarPage = Effect.promise(async () => {
  const routes = HttpApiScalar.layer(HttpApi.make("scalar")).pipe(Layer.provide(HttpServer.layerServices))
  const { dispose, handler } = HttpRouter.toWebHandler(routes, { disableLogger: true })
  const response = await handler(new Request("http://localhost/docs"))
  const html = await response.text()
  await dispose()
  return html
})

const script = Effect.map(scalarPage, (html) =>
  html.slice(html.indexOf("<script>"), html.indexOf("</script>") + "</script>".length)
)

/** JSON inside of a script must not contain the end tag of the script. */
const scriptJson = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c")

/**
 * Requests only go to the service itself: no fonts, proxy, telemetry or sharing. `CONTENT_SECURITY_POLICY` enforces
 * this.
 */
const quiet = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  documentDownloadType: "direct",
  favicon: "/favicon.svg",
  customCss: 'a[href="https://www.scalar.com"]{display:none}'
}

/** The key is only preset in a sandbox, where it is public. */
const authentication = (apiKey: string | null) => ({
  preferredSecurityScheme: "apiKey",
  ...(apiKey === null ? {} : { securitySchemes: { apiKey: { value: apiKey } } })
})

/** The reference as an interactive page. */
export const docsPage = (document: Node, apiKey: string | null): Effect.Effect<string> =>
  Effect.map(script, (scalar) => {
    const settings = { ...quiet, authentication: authentication(apiKey), content: document }
    return (
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Countersign: reference</title>' +
      '<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="favicon.svg">' +
      `</head><body><div id="reference"></div>${scalar}` +
      "<script>window.Scalar.createApiReference('#reference',{servers:[{url:location.href.replace(/\\/docs.*$/,'')}]," +
      `...${scriptJson(settings)}})</script></body></html>`
    )
  })

/** The browser enforces this policy, even if the page's script requests other hosts. */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
  "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'"
