import { HistoryStore } from "@countersign/core/accounting/history"
import { aTransaction } from "@countersign/core/contracts/accounting/history/HistoryStore"
import { Address } from "@countersign/core/foundation/primitives"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Browser, HTTPRequest, Page } from "puppeteer-core"
import { privateKeyToAccount } from "viem/accounts"
import { type BoundedService, startBounded } from "./limits/boundedService.ts"
import { registerOneOfEachKind, type TestWallet } from "./support/accounts.ts"
import { chromium, openBrowser, visitor } from "./support/browser.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** The page for people: how it is sent, and what a browser makes of it. */

describe("the page as it is sent", () => {
  let service: BoundedService
  let without: BoundedService

  beforeAll(async () => {
    service = await startBounded({})
    without = await startBounded({ appPage: false })
  })
  afterAll(async () => {
    await service.close()
    await without.close()
  })

  const assertGuarded = (headers: Headers) => {
    const policy = headers.get("content-security-policy") ?? ""
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/u)
    assert.include(policy, "frame-ancestors 'none'")
    assert.notMatch(policy, /unsafe|https?:/u)
    assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
    assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
  }

  it("has no key, no script or style in its markup, and is asked for again each time", async () => {
    const answer = await fetch(`${service.baseUrl}/app`)
    assert.deepStrictEqual(
      [answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")],
      [200, "text/html; charset=utf-8", "no-cache"]
    )
    assertGuarded(answer.headers)
    const html = await answer.text()
    assert.notMatch(html, /data-sandbox-key|cs_(?:test|live)_|<style|style=|<script>|\son\w+=|\/\//u)
  })

  it("has files that browsers keep for ever, under names that change with them", async () => {
    const html = await (await fetch(`${service.baseUrl}/app`)).text()
    const names = [...html.matchAll(/app\/[0-9a-f]{16}\.(?:js|css)/gu)].map(([name]) => name)
    assert.lengthOf(names, 2)
    for (const name of names) {
      const answer = await fetch(`${service.baseUrl}/${name}`)
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers.get("cache-control"), "public, max-age=31536000, immutable")
      assert.match(answer.headers.get("content-type") ?? "", name.endsWith("js") ? /^text\/javascript/u : /^text\/css/u)
      assertGuarded(answer.headers)
      assert.isBelow((await answer.text()).length, 150_000)
    }
    assert.strictEqual((await fetch(`${service.baseUrl}/app/0123456789abcdef.js`)).status, 404)
  })

  it("is no part of the API", async () => {
    const { paths } = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as { readonly paths: object }
    assert.deepStrictEqual(
      Object.keys(paths).filter((path) => path.startsWith("/app")),
      []
    )
    const refused = await fetch(`${service.baseUrl}/app`, { method: "POST" })
    assert.deepStrictEqual([refused.status, refused.headers.get("allow")], [405, "GET"])
  })

  it("is not there where it is switched off", async () => {
    assert.strictEqual((await fetch(`${without.baseUrl}/app`)).status, 404)
    assert.strictEqual((await fetch(`${without.baseUrl}/app`, { method: "POST" })).status, 404)
  })
})

/** It runs in the page and is checked with the page's own types: its name is no literal, so that these stay out of here. */
const accessibility = new URL("./in-page/accessibility.ts", import.meta.url).href

const words = chromium === undefined ? "the page in a browser (skipped: this machine has no Chromium)" : "the page"

describe.skipIf(chromium === undefined)(words, () => {
  let service: TestService
  let browser: Browser
  let page: Page
  let wallets: ReadonlyArray<TestWallet>
  /** What the browser's console said: errors of the program, and what the policy has refused. */
  const complaints: Array<string> = []
  const requested = new Set<string>()
  /** The methods by which the browser's wallet was asked to sign. */
  const asked: Array<string> = []
  let owner: TestWallet
  let accessibilityProblems: () => ReadonlyArray<string>

  const walletOf = (kind: string) => wallets.find(({ name }) => name === kind)!

  /** Stands for the visitor's wallet: the page gets signatures of it, and never its key. */
  const answerPage = async (method: string, params: ReadonlyArray<string>): Promise<unknown> => {
    const account = privateKeyToAccount(owner.privateKey)
    if (method === "eth_requestAccounts") return [account.address]
    if (method === "eth_chainId") return "0x1"
    asked.push(method)
    return method === "personal_sign"
      ? account.signMessage({ message: { raw: params[0] as `0x${string}` } })
      : account.signTypedData(JSON.parse(params[1]!))
  }

  beforeAll(async () => {
    service = await startTestService({ asSandbox: true })
    wallets = await registerOneOfEachKind(service)
    owner = wallets[0]!
    ;({ accessibilityProblems } = await import(accessibility))
    browser = await openBrowser()
    page = await browser.newPage()
    page.on("console", (message) => {
      if (["error", "warn"].includes(message.type())) complaints.push(message.text())
    })
    page.on("pageerror", (error) => complaints.push(String(error)))
    page.on("request", (request) => {
      // A date field's own pictures are in the browser.
      if (!request.url().startsWith("data:")) requested.add(request.url())
    })
    await page.exposeFunction("askWallet", answerPage)
    await page.evaluateOnNewDocument(`
      globalThis.ethereum = { request: ({ method, params = [] }) => askWallet(method, params) }
    `)
    page.setDefaultTimeout(20_000)
    await page.setViewport({ width: 390, height: 844 })
    await page.goto(`${service.baseUrl}/app`)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const see = (selector: string, text = "") => visitor(page).see(selector, text)
  const press = (text: string) => visitor(page).press(text)

  const open = async (wallet: TestWallet, view: string) => {
    await page.goto(`${service.baseUrl}/app#/${wallet.address}/${view}`)
    await see("h1", wallet.address)
    await see("[aria-current=page]", view.slice(1))
  }

  /** On a phone's width, by day and by night. */
  const assertWellMade = async () => {
    assert.strictEqual(await page.evaluate("document.documentElement.scrollWidth"), 390)
    const backgrounds = new Set<unknown>()
    for (const value of ["light", "dark"]) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }])
      assert.deepStrictEqual(await page.evaluate(accessibilityProblems), [], value)
      backgrounds.add(await page.evaluate("getComputedStyle(document.body).backgroundColor"))
    }
    assert.strictEqual(backgrounds.size, 2)
  }

  const enterKey = async (key: string) => {
    await page.locator("input[name=apiKey]").fill(key)
    await press("Show wallets")
  }

  it("refuses a wrong key in the service's words, with what to do", async () => {
    await see("label", "API key")
    await assertWellMade()
    await enterKey("cs_test_wrong")
    await see("[role=alert] strong", "INVALID_API_KEY")
    await see("[role=alert] p", "It may have expired or been revoked.")
    assert.strictEqual(await page.evaluate("sessionStorage.length"), 0)
    complaints.length = 0 // The browser writes each refusal of the service into its console.
  })

  it("keeps the key in the tab, and shows the project's wallets", async () => {
    await enterKey(service.apiKey)
    for (const { name } of wallets) await see(".wallet", name)
    await assertWellMade()
    const kept = await page.evaluate("[localStorage.length, document.cookie, Object.values(sessionStorage)]")
    assert.deepStrictEqual(kept, [0, "", [service.apiKey]])
    // What others wrote is text.
    const foreign = '<img src="x" onerror="alert(1)">'
    await service.request("PATCH", `/api/v1/wallets/${wallets[0]!.address}/metadata`, { metadata: { foreign } })
    await page.reload()
    await see(".wallet small", foreign)
    await see(".wallet", wallets[0]!.name)
  })

  it("shows what a wallet holds, and what it was worth over each range", async () => {
    await open(wallets[0]!, "portfolio")
    await see("tbody", "USDC")
    await see("figcaption", "$1,000,000.00")
    await page.waitForSelector("canvas")
    for (const range of ["1d", "1m", "1a", "all", "7d"]) {
      await page.locator(`input[value="${range}"] + span`).click()
      await page.waitForSelector("figure[aria-busy=false]")
    }
    const asked = [...requested].filter((url) => url.includes("/chart?")).map((url) => url.split("timerange=")[1])
    assert.includeMembers(asked, ["1d", "1m", "1a", "all", "7d"])
    await assertWellMade()
  })

  it.each([
    ["personal_sign", "SimpleAccount 0.7"],
    ["eth_signTypedData_v4", "SimpleAccount 0.8"]
  ])("quotes a swap, has the browser's wallet sign by %s, and executes it", async (method, kind) => {
    owner = walletOf(kind)
    asked.length = 0
    await open(owner, "swap")
    await see("select[name=tokenOut]", "WETH")
    await press("Get a quote")
    await see(".terms", "You get about")
    await see(".calls", "Swap 100 USDC")
    await assertWellMade()
    await press("Sign with the browser's wallet")
    await see(".stages .done", "Completed")
    assert.deepStrictEqual([...new Set(asked)], [method])
    await assertWellMade()
  })

  it("has the sandbox sign for its demonstration owner", async () => {
    const wallet = walletOf("Safe 1.4.1")
    asked.length = 0
    await open(wallet, "swap")
    await see("select[name=tokenOut]", "WETH")
    await press("Get a quote")
    await press("Sign as the demo owner")
    await see(".stages .done", "Completed")
    assert.deepStrictEqual(asked, [])
    assert.isTrue(service.logLines.some((line) => line.includes('"route":"/api/v1/events"')))
  })

  it("follows an execution by requests where the service sends no events", async () => {
    await page.setRequestInterception(true)
    const answer = (request: HTTPRequest) => {
      if (new URL(request.url()).pathname.endsWith("/api/v1/events"))
        request.respond({ status: 200, contentType: "text/html", body: "" })
      else request.continue()
    }
    page.on("request", answer)
    await open(walletOf("Safe 1.4.1"), "swap")
    await see("select[name=tokenOut]", "WETH")
    await press("Get a quote")
    await press("Sign as the demo owner")
    await see(".stages .done", "Completed")
    page.off("request", answer)
    await page.setRequestInterception(false)
  })

  it("refuses an account of the browser's wallet that is not the owner's", async () => {
    owner = wallets[0]!
    await open(walletOf("Safe 1.4.1"), "swap")
    await press("Get a quote")
    await press("Sign with the browser's wallet")
    await see("[role=alert]", "Choose that account")
  })

  it("filters history, and shows an operation's life", async () => {
    await open(wallets[0]!, "history")
    await see(".row", "−100 USDC")
    await assertWellMade()
    await page.select("select[name=status]", "FAILED")
    await see("[role=status]", "Nothing is found.")
    await page.select("select[name=status]", "COMPLETED")
    await page.select("select[name=type]", "SWAP")
    await page.select("select[name=chain]", "1")
    await see(".row", "Swap")
    await page.locator(".row").click()
    await see("dialog[open] .stages", "Accepted")
    await see("dialog[open]", "−100 USDC")
    await see("dialog[open]", "Gas fee")
    await see("dialog[open]", "in a block")
    const link = await page.$eval("dialog a", ({ href, rel }) => ({ href, rel }))
    assert.match(link.href, /\/chains\/1\/tx\/0x[0-9a-f]{64}$/u)
    assert.include(link.rel, "noopener")
    await assertWellMade()
    await page.keyboard.press("Escape")
    await page.waitForSelector("dialog", { hidden: true })
    assert.strictEqual(await page.evaluate("document.activeElement?.className"), "row")
    await press("Clear")
    await see(".row", "−100 USDC")
    assert.deepStrictEqual(complaints, [])
  })

  it("shows history page by page", async () => {
    const wallet = walletOf("Simple7702Account")
    const walletAddress = Address.make(wallet.address)
    const projectId = service.project.id
    await service.run(
      HistoryStore.use((store) =>
        Effect.forEach(Array.from({ length: 45 }), () =>
          store.insert(aTransaction({ projectId, walletAddress, status: "FAILED" }))
        )
      )
    )
    await open(wallet, "history")
    for (const shown of ["20 shown, there are more", "40 shown, there are more", "45 in all"]) {
      await see("[role=status]", shown)
      assert.strictEqual(await page.evaluate("document.querySelectorAll('.row').length"), Number(shown.split(" ")[0]))
      if (!shown.endsWith("all")) await press("Show more")
    }
    assert.deepStrictEqual(complaints, [])
  })

  it("says what is wrong with a filter, as the service does", async () => {
    await page.locator("input[name=metadataKey]").fill("order")
    await press("Apply")
    await see("[role=alert] strong", "BAD_REQUEST")
    await see("[role=alert] li", "metadata")
    complaints.length = 0
  })

  it("asks its own service alone, and puts the key into no address", async () => {
    assert.deepStrictEqual(
      [...requested].filter((url) => !url.startsWith(`${service.baseUrl}/`) || url.includes(service.apiKey)),
      []
    )
    await press("Forget the key")
    await see("label", "API key")
    assert.strictEqual(await page.evaluate("sessionStorage.length"), 0)
    assert.deepStrictEqual(complaints, [])
  })
})
