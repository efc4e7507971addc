import { endpointList, groupTitles } from "@countersign/adapters/api/endpoints"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { docUrl, type WireErrorId, wireErrors } from "../src/errors/index.ts"
import { openApiDocument } from "../src/reference/index.ts"
import { CONTENT_SECURITY_POLICY, docsPage } from "../src/server/documents/docsPage.ts"
import { llmsText } from "../src/server/documents/llmsText.ts"
import { errorsPage } from "../src/server/documents.ts"

/** Tests the page of the API reference. `limits/routes.test.ts` tests its headers. */

const renderPage = (apiKey: string | null) => Effect.runPromise(docsPage(openApiDocument(), apiKey))

/** Returns the page without Scalar's script. */
const withoutScript = (html: string): string => {
  const start = html.indexOf("<script>")
  return html.slice(0, start) + html.slice(html.indexOf("</script>", start))
}

describe("the reference", () => {
  it("loads nothing from other hosts", async () => {
    const html = withoutScript(await renderPage(null))
    const [settings = ""] = /\.\.\.\{.*\}\}\)/su.exec(html) ?? []
    const markup = html.replace(settings, "")
    assert.notMatch(markup, /https?:|\/\//u)
    for (const disabledOption of ['"withDefaultFonts":false', '"telemetry":false', '"hideClientButton":true'])
      assert.include(settings, disabledOption)
    assert.notInclude(settings, "proxyUrl")
    // Whatever the script contains, the content security policy restricts its requests to this service.
    const directives = CONTENT_SECURITY_POLICY.split("; ").map((directive) => directive.split(" "))
    assert.deepStrictEqual(directives[0], ["default-src", "'none'"])
    for (const [, ...sources] of directives) {
      for (const source of sources) assert.include(["'none'", "'self'", "'unsafe-inline'", "data:", "blob:"], source)
    }
  })

  it("contains the sandbox's key, and no key outside the sandbox", async () => {
    const key = "cs_test_</script>"
    const html = withoutScript(await renderPage(key))
    assert.include(html, '"securitySchemes":{"apiKey":{"value":"cs_test_\\u003c/script>"}}')
    const productionHtml = withoutScript(await renderPage(null))
    assert.notInclude(productionHtml, '"value":"cs_')
    assert.include(productionHtml, '"preferredSecurityScheme":"apiKey"')
  })
})

describe("the page of errors", () => {
  it("has an anchor for each error, with its status and what to do", () => {
    const html = errorsPage()
    for (const id of Object.keys(wireErrors) as ReadonlyArray<WireErrorId>) {
      const [, fragment] = docUrl(id).split("#")
      assert.include(html, `<section id="${fragment}">`)
      assert.notStrictEqual(wireErrors[id].remedy, "")
    }
    assert.notMatch(html, /https?:|src=/u)
  })
})

describe("/llms.txt", () => {
  const text = llmsText(endpointList)

  it("follows the format of llmstxt.org: a title, a summary, and sections with lists of links", () => {
    assert.match(text, /^# Countersign\n\n> [^\n]+\n\n/u)
    for (const section of text.split(/^## /mu).slice(1)) {
      const links = section.split("\n").filter((line) => line.startsWith("- "))
      assert.isNotEmpty(links)
      for (const link of links) assert.match(link, /^- \[[^\]]+\]\(\/[a-z./]+\): ./u)
    }
    assert.lengthOf(text.match(/^# /gmu)!, 1)
  })

  it("lists every endpoint with its path, in its group", () => {
    const paths = openApiDocument().paths as Readonly<Record<string, Readonly<Record<string, object>>>>
    const servedPaths = Object.entries(paths).filter(([path]) => path.startsWith("/api/"))
    for (const [path, methods] of servedPaths) {
      for (const method of Object.keys(methods)) assert.include(text, `[${method.toUpperCase()} ${path}](`)
    }
    for (const { title } of Object.values(groupTitles)) assert.include(text, `\n## ${title}\n`)
  })
})
