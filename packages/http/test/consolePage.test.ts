import { request } from "node:http"
import { HistoryStore } from "@countersign/core/accounting/history"
import { aTransaction } from "@countersign/core/contracts/accounting/history/HistoryStore"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Browser, Page } from "puppeteer-core"
import { type BoundedService, startBounded } from "./limits/boundedService.ts"
import { chromiumPath, findAccessibilityProblems, openBrowser, pageActions } from "./support/browser.ts"
import { makeBareNginx, startProxy } from "./support/proxies.ts"
import { startTestService, type TestService } from "./support/testService.ts"
import { INDIVIDUALS, person, submitVerification } from "./support/verifications.ts"
import { startWebhookReceiver, type WebhookReceiver } from "./support/webhookReceiver.ts"

/** Tests the operator console: which clients may open the page, and its behavior in a browser. */

describe("the HTTP response of the console", () => {
  const services = new Map<string, BoundedService>()
  beforeAll(async () => {
    services.set("default", await startBounded({}))
    for (const adminConsole of ["off", "on"] as const) services.set(adminConsole, await startBounded({ adminConsole }))
  })
  afterAll(async () => {
    for (const service of services.values()) await service.close()
  })

  /** Returns the response status of the page for a client that sends these headers. */
  const statusOf = (name: string, headers: Record<string, string> = {}, path = "/admin") =>
    new Promise<number | undefined>((resolve, reject) => {
      const { port } = services.get(name)!
      const sentRequest = request({ host: "127.0.0.1", port, path, headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sentRequest.on("error", reject)
      sentRequest.end()
    })

  it("has a policy without `unsafe`, and no script or style in its markup", async () => {
    const response = await fetch(`${services.get("default")!.baseUrl}/admin`)
    const policy = response.headers.get("content-security-policy") ?? ""
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/u)
    assert.notMatch(policy, /unsafe|https?:|blob:/u)
    const html = await response.text()
    assert.notMatch(html, /data-sandbox-key|<style|style=|<script>|\son\w+=|\/\//u)
    for (const [name] of html.matchAll(/admin\/[0-9a-f]{16}\.(?:js|css)/gu))
      assert.strictEqual(await statusOf("default", {}, `/${name}`), 200)
  })

  it.each([
    ["no proxy and a name of this machine", "default", { host: "localhost" }, 200],
    ["another name", "default", { host: "console.example.com" }, 404],
    ["a proxy on this machine", "default", { "x-forwarded-for": "203.0.113.7" }, 404],
    ["a proxy by RFC 7239", "default", { forwarded: "for=203.0.113.7" }, 404],
    ["a proxy that names only the protocol", "default", { "x-forwarded-proto": "https" }, 404],
    ["a proxy that adds no header", "default", { connection: "close" }, 404],
    ["another name, if it is on", "on", { host: "console.example.com" }, 200],
    ["a proxy, if it is on", "on", { "x-forwarded-for": "203.0.113.7" }, 200],
    ["this machine, if it is off", "off", {}, 404]
  ] as const)("answers a request by %s", async (_, name, headers, status) => {
    assert.strictEqual(await statusOf(name, headers), status)
    assert.strictEqual(await statusOf(name, headers, "/admin/0123456789abcdef.js"), 404)
  })

  it.skipIf(!makeBareNginx("").isInstalled).each(["", 'proxy_http_version 1.1; proxy_set_header Connection "";'])(
    "answers no request that an nginx without header settings forwards, with %j",
    async (settings) => {
      const proxy = await startProxy(makeBareNginx(settings), services.get("default")!.port)
      const statuses = [(await proxy.send("GET", "/healthz")).status, (await proxy.send("GET", "/admin")).status]
      await proxy.stop()
      assert.deepStrictEqual(statuses, [200, 404])
    }
  )
})

const words =
  chromiumPath === undefined ? "the console in a browser (skipped: this machine has no Chromium)" : "the console"

describe.skipIf(chromiumPath === undefined)(words, () => {
  let service: TestService
  let receiver: WebhookReceiver
  let browser: Browser
  let page: Page
  let reviewedSession: { readonly sessionId: string; readonly individualId: string }
  /** Lines of the browser's console: script errors, and requests that the content security policy blocked. */
  const consoleMessages: Array<string> = []
  const requestedUrls = new Set<string>()

  beforeAll(async () => {
    service = await startTestService({
      asSandbox: true,
      webhooks: { allowPrivateTargets: true, timeoutMs: 30_000 }
    })
    receiver = await startWebhookReceiver()
    const { session } = await submitVerification(service, INDIVIDUALS, { ...person, documentId: "PAGE1" })
    reviewedSession = { sessionId: session.id, individualId: session.individualId }
    const failure = { code: "REVERTED", message: "Too little received" }
    const transaction = aTransaction({ projectId: service.project.id, status: "FAILED", failure })
    await service.run(HistoryStore.use((store) => store.insert(transaction)))
    browser = await openBrowser()
    page = await browser.newPage()
    page.on("console", (message) => {
      if (["error", "warn"].includes(message.type())) consoleMessages.push(message.text())
    })
    page.on("pageerror", (error) => consoleMessages.push(String(error)))
    page.on("request", (browserRequest) => {
      if (!/^(?:data|blob):/u.test(browserRequest.url())) requestedUrls.add(browserRequest.url())
    })
    page.setDefaultTimeout(20_000)
    await page.setViewport({ width: 390, height: 844 })
    await page.goto(`${service.baseUrl}/admin`)
  })
  afterAll(async () => {
    await browser?.close()
    receiver?.stop()
    await service?.stop()
  })

  const waitForText = (selector: string, text = "") => pageActions(page).see(selector, text)
  const press = (text: string) => pageActions(page).press(text)

  const openView = async (view: string, title: string) => {
    await page.goto(`${service.baseUrl}/admin#/${view}`)
    await waitForText("h1", title)
    await page.waitForSelector("[aria-busy=false]")
  }

  /** Checks the layout at the width of a phone, in the light and the dark color scheme. */
  const assertWellMade = async () => {
    assert.strictEqual(await page.evaluate("document.documentElement.scrollWidth"), 390)
    for (const value of ["light", "dark"]) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }])
      assert.deepStrictEqual(await findAccessibilityProblems(page), [], value)
    }
    assert.deepStrictEqual(
      await page.evaluate("[...document.querySelectorAll('thead th')].filter((th) => th.scope !== 'col').length"),
      0
    )
    assert.deepStrictEqual(consoleMessages, [])
  }

  const enterKey = async (key: string) => {
    await page.locator("input[name=apiKey]").fill(key)
    await press("Open the console")
  }

  it("names the scope that the key lacks", async () => {
    await waitForText("h1", "Operator's console")
    await assertWellMade()
    const { keyWith } = await service.newProject(null)
    await enterKey(await keyWith(["read"]))
    await waitForText("[role=alert] a", "FORBIDDEN_SCOPE")
    consoleMessages.length = 0 // The browser writes each refusal of the service into its console.
    await press("Log out")
  })

  it("shows only its own project to an admin without `operator`", async () => {
    const { keyWith } = await service.newProject(null)
    await enterKey(await keyWith(["admin"]))
    await waitForText("h2", "Budgets of the project")
    await waitForText("p", "need a key with the scope operator")
    assert.notInclude(await page.evaluate("document.body.textContent"), "Balances that pay gas")
    await assertWellMade()
    await press("Log out")
    assert.strictEqual(await page.evaluate("sessionStorage.length"), 0)
  })

  it("shows an operator balances, work and projects", async () => {
    await enterKey(service.apiKey)
    await waitForText("tbody", "Paymaster 0.7")
    await waitForText("tbody", "Nothing spent")
    await waitForText("tbody", "Identity verification")
    await waitForText("tbody", service.project.name)
    await assertWellMade()
  })

  it("does not report zero spending for an unknown balance", async () => {
    service.takeNodeDown(true)
    await openView("keys", "Keys")
    await openView("overview", "Overview")
    await waitForText("tbody", "Unknown: no node responds")
    service.takeNodeDown(false)
    const lastCells = await page.$$eval("tbody tr td:last-child", (cells) =>
      cells.map(({ textContent }) => textContent)
    )
    assert.include(lastCells, "Unknown")
    assert.notInclude(lastCells, "Nothing spent")
    assert.deepStrictEqual(consoleMessages, [])
  })

  it("shows pending and failed work with what to do", async () => {
    await openView("work", "Work")
    await waitForText("tbody", "Too little received")
    await waitForText("tbody", "The owner needs a new quote")
    await waitForText("tbody", "A reviewer")
    await assertWellMade()
  })

  it("reviews an identity: opens a document, and asks for confirmation before it approves", async () => {
    await openView("reviews", "Identity reviews")
    await waitForText("tbody a", reviewedSession.sessionId)
    await assertWellMade()
    await page.locator("tbody a").click()
    await waitForText("dd", person.firstName)
    await press("Open front")
    await waitForText("a[download]", "Save front")
    await assertWellMade()
    await press("Approve")
    await waitForText("dialog[open]", "can't be undone")
    await assertWellMade()
    await press("Cancel")
    await page.waitForSelector("dialog", { hidden: true })
    await press("Approve")
    await press("Approve permanently")
    await waitForText(".badge", "Completed")
    await openView("access", "Access log")
    await waitForText("tbody", "Documents opened")
    await assertWellMade()
    await page.locator("input[name=identityId]").fill(reviewedSession.individualId)
    await page.keyboard.press("Enter")
    await waitForText("tbody th", reviewedSession.individualId)
  })

  it("rejects an identity with a reason", async () => {
    const { session } = await submitVerification(service, INDIVIDUALS, { ...person, documentId: "PAGE2" })
    await openView(`reviews/${session.id}`, "Identity reviews")
    await press("Reject")
    await page.locator("textarea[name=reason]").fill("The picture is too dark")
    await press("Reject permanently")
    await waitForText("dd", "The picture is too dark")
    await waitForText(".badge", "Failed")
    await assertWellMade()
  })

  it("sends an event again", async () => {
    const url = receiver.url("/console")
    const { body } = await service.request("POST", "/api/v1/webhooks", { url })
    await service.request("POST", `/api/v1/webhooks/${body.webhook.id}/test`)
    await openView("webhooks", "Webhooks")
    await waitForText("tbody", url)
    await page.locator("tbody a").click()
    await waitForText("tbody", "webhook.test")
    await press("Send again")
    await waitForText("dialog[open]", "can't be undone")
    await press("Send the event")
    await waitForText("[role=status]", "sends the event again")
    await assertWellMade()
  })

  it("creates a key and shows it once, and asks for confirmation before it revokes one", async () => {
    await openView("keys", "Keys")
    await page.locator("input[name=name]").fill("made in the console")
    await press("Create")
    await waitForText("[role=alert]", "Choose at least one scope.")
    await page.locator("input[value=read]").click()
    await press("Create")
    await waitForText("[role=status] code", "cs_live_")
    const text = await page.$eval("[role=status] code", ({ textContent }) => textContent)
    await assertWellMade()
    const listWallets = () => service.request("GET", "/api/v1/wallets", undefined, { "x-api-key": text })
    assert.strictEqual((await listWallets()).status, 200)
    await page.locator("::-p-xpath(//tr[contains(., 'made in the console')]//button)").click()
    await waitForText("dialog[open]", "can't be undone")
    await press("Revoke permanently")
    await waitForText("tbody tr", "Revoked")
    assert.strictEqual((await listWallets()).status, 401)
  })

  it("sends requests to its own service only, and puts the key into no URL", async () => {
    assert.deepStrictEqual(
      [...requestedUrls].filter((url) => !url.startsWith(`${service.baseUrl}/`) || url.includes(service.apiKey)),
      []
    )
    await press("Log out")
    await waitForText("h1", "Operator's console")
    assert.strictEqual(await page.evaluate("sessionStorage.length"), 0)
    assert.deepStrictEqual(consoleMessages, [])
  })
})
