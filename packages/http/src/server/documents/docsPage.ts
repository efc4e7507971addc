import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApi, HttpApiScalar } from "effect/http-api"
import type { Node } from "../../reference/index.ts"

/**
 * The HTML page of the Scalar package, from which the script is extracted. It has 3 MB and is loaded at the first
 * request.
 */
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

/** Escapes `<`, because JSON inside a script must not contain the script's end tag. */
const scriptJson = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c")

/**
 * Disables external fonts, telemetry and links to Scalar's services, so that requests go only to the service itself.
 * `CONTENT_SECURITY_POLICY` enforces this.
 */
const privacySettings = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  documentDownloadType: "direct",
  favicon: "/favicon.svg",
  customCss: 'a[href="https://www.scalar.com"]{display:none}'
}

/** Presets the API key only in a sandbox, where it is public. */
const authentication = (apiKey: string | null) => ({
  preferredSecurityScheme: "apiKey",
  ...(apiKey === null ? {} : { securitySchemes: { apiKey: { value: apiKey } } })
})

/** Builds the interactive page of the API reference. */
export const docsPage = (document: Node, apiKey: string | null): Effect.Effect<string> =>
  Effect.map(script, (scalar) => {
    const settings = { ...privacySettings, authentication: authentication(apiKey), content: document }
    return (
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Countersign: reference</title>' +
      '<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="favicon.svg">' +
      `</head><body><div id="reference"></div>${scalar}` +
      "<script>window.Scalar.createApiReference('#reference',{servers:[{url:location.href.replace(/\\/docs.*$/,'')}]," +
      `...${scriptJson(settings)}})</script></body></html>`
    )
  })

/** Blocks requests to other hosts in the browser, even if the page's script attempts them. */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
  "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'"
