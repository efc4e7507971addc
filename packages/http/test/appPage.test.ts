import { HistoryStore } from "@countersign/core/accounting/history"
import { aTransaction } from "@countersign/core/contracts/accounting/history/HistoryStore"
import { Address } from "@countersign/core/foundation/primitives"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import jsQr from "jsqr"
import { PNG } from "pngjs"
import type { Browser, HTTPRequest, Page } from "puppeteer-core"
import { encodeAbiParameters, numberToHex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { waitUntilTrue } from "../../core/test/support/until.ts"
import { type BoundedService, startBounded } from "./limits/boundedService.ts"
import { registerOneOfEachKind, type TestWallet } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { chromiumPath, findAccessibilityProblems, openBrowser, pageActions } from "./support/browser.ts"
import { stubContract } from "./support/stubContract.ts"
import { startTestService, type TestService } from "./support/testService.ts"

const NFT_CONTRACT = `0x${"51".repeat(20)}`
const USDC_ON_BASE = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"

/** Tests the wallet page: its HTTP responses, and its behavior in a browser. */

describe("the HTTP response of the page", () => {
  let service: BoundedService
  let serviceWithoutPage: BoundedService

  beforeAll(async () => {
    service = await startBounded({})
    serviceWithoutPage = await startBounded({ appPage: false })
  })
  afterAll(async () => {
    await service.close()
    await serviceWithoutPage.close()
  })

  const assertGuarded = (headers: Headers) => {
    const policy = headers.get("content-security-policy") ?? ""
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/u)
    assert.include(policy, "frame-ancestors 'none'")
    assert.notMatch(policy, /unsafe|https?:/u)
    assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
    assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
  }

  it("contains no key, script or style in its markup, and browsers revalidate it each time", async () => {
    const response = await fetch(`${service.baseUrl}/app`)
    assert.deepStrictEqual(
      [response.status, response.headers.get("content-type"), response.headers.get("cache-control")],
      [200, "text/html; charset=utf-8", "no-cache"]
    )
    assertGuarded(response.headers)
    const html = await response.text()
    assert.notMatch(html, /data-sandbox-key|cs_(?:test|live)_|<style|style=|<script>|\son\w+=|\/\//u)
  })

  it("names files that browsers cache forever, with a hash of the content in each name", async () => {
    const html = await (await fetch(`${service.baseUrl}/app`)).text()
    const names = [...html.matchAll(/app\/[0-9a-f]{16}\.(?:js|css)/gu)].map(([name]) => name)
    assert.lengthOf(names, 2)
    for (const name of names) {
      const response = await fetch(`${service.baseUrl}/${name}`)
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.headers.get("cache-control"), "public, max-age=31536000, immutable")
      assert.match(
        response.headers.get("content-type") ?? "",
        name.endsWith("js") ? /^text\/javascript/u : /^text\/css/u
      )
      assertGuarded(response.headers)
      assert.isBelow((await response.text()).length, 150_000)
    }
    assert.strictEqual((await fetch(`${service.baseUrl}/app/0123456789abcdef.js`)).status, 404)
  })

  it("is not listed in the OpenAPI document", async () => {
    const { paths } = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as { readonly paths: object }
    assert.deepStrictEqual(
      Object.keys(paths).filter((path) => path.startsWith("/app")),
      []
    )
    const refusal = await fetch(`${service.baseUrl}/app`, { method: "POST" })
    assert.deepStrictEqual([refusal.status, refusal.headers.get("allow")], [405, "GET"])
  })

  it("is 404 if the page is switched off", async () => {
    assert.strictEqual((await fetch(`${serviceWithoutPage.baseUrl}/app`)).status, 404)
    assert.strictEqual((await fetch(`${serviceWithoutPage.baseUrl}/app`, { method: "POST" })).status, 404)
  })
})

const title = chromiumPath === undefined ? "the page in a browser (skipped: this machine has no Chromium)" : "the page"

describe.skipIf(chromiumPath === undefined)(title, () => {
  let service: TestService
  let browser: Browser
  let page: Page
  let wallets: ReadonlyArray<TestWallet>
  /** Lines of the browser's console: script errors, and requests that the content security policy blocked. */
  const consoleMessages: Array<string> = []
  const requestedUrls = new Set<string>()
  /** JSON-RPC methods with which the page requested signatures from the browser wallet. */
  const requestedMethods: Array<string> = []
  let owner: TestWallet

  const walletOf = (kind: string) => wallets.find(({ name }) => name === kind)!

  /** Acts as the visitor's browser wallet, which returns signatures but never the key. */
  const respondToPage = async (method: string, params: ReadonlyArray<string>): Promise<unknown> => {
    const account = privateKeyToAccount(owner.privateKey)
    if (method === "eth_requestAccounts") return [account.address]
    if (method === "eth_chainId") return "0x1"
    requestedMethods.push(method)
    return method === "personal_sign"
      ? account.signMessage({ message: { raw: params[0] as `0x${string}` } })
      : account.signTypedData(JSON.parse(params[1]!))
  }

  beforeAll(async () => {
    const collections = [{ chainId: 1, contract: Address.make(NFT_CONTRACT), ids: null }] as const
    service = await startTestService({ asSandbox: true, nfts: { collections, ipfsGateway: null } })
    wallets = await registerOneOfEachKind(service)
    owner = wallets[0]!
    browser = await openBrowser()
    page = await browser.newPage()
    page.on("console", (message) => {
      if (["error", "warn"].includes(message.type())) consoleMessages.push(message.text())
    })
    page.on("pageerror", (error) => consoleMessages.push(String(error)))
    page.on("request", (request) => {
      // Chromium loads the icons of a date field from its own data URLs.
      if (!request.url().startsWith("data:")) requestedUrls.add(request.url())
    })
    await page.exposeFunction("askWallet", respondToPage)
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

  const waitForText = (selector: string, text = "") => pageActions(page).see(selector, text)
  const press = (text: string) => pageActions(page).press(text)

  const openView = async (wallet: TestWallet, view: string) => {
    await page.goto(`${service.baseUrl}/app#/${wallet.address}/${view}`)
    await waitForText("h1", wallet.address)
    await waitForText("[aria-current=page]", view.slice(1))
  }

  /** Checks the layout at the width of a phone, in the light and the dark color scheme. */
  const assertWellMade = async () => {
    assert.strictEqual(await page.evaluate("document.documentElement.scrollWidth"), 390)
    const backgrounds = new Set<unknown>()
    for (const value of ["light", "dark"]) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }])
      assert.deepStrictEqual(await findAccessibilityProblems(page), [], value)
      backgrounds.add(await page.evaluate("getComputedStyle(document.body).backgroundColor"))
    }
    assert.strictEqual(backgrounds.size, 2)
  }

  const enterKey = async (key: string) => {
    await page.locator("input[name=apiKey]").fill(key)
    await press("Show wallets")
  }

  it("shows the service's error for a wrong key, with what to do", async () => {
    await waitForText("label", "API key")
    await assertWellMade()
    await enterKey("cs_test_wrong")
    await waitForText("[role=alert] a", "INVALID_API_KEY")
    await waitForText("[role=alert] p", "The key may have expired or may have been revoked.")
    assert.strictEqual(await page.evaluate("sessionStorage.length"), 0)
    consoleMessages.length = 0 // The browser logs each refusal of the service.
  })

  it("stores the key for the tab only, and shows the project's wallets", async () => {
    await enterKey(service.apiKey)
    for (const { name } of wallets) await waitForText(".wallet", name)
    await assertWellMade()
    const storedValues = await page.evaluate("[localStorage.length, document.cookie, Object.values(sessionStorage)]")
    assert.deepStrictEqual(storedValues, [0, "", [service.apiKey]])
    // The page must display text from other parties as text, not as HTML.
    const hostileName = '<img src="x" onerror="alert(1)">'
    await service.request("PATCH", `/api/v1/wallets/${wallets[0]!.address}/metadata`, {
      metadata: { foreign: hostileName }
    })
    await page.reload()
    await waitForText(".wallet small", hostileName)
    await waitForText(".wallet", wallets[0]!.name)
  })

  it("shows the balances of a wallet, and its value over each range", async () => {
    await openView(wallets[0]!, "portfolio")
    await waitForText("tbody", "USDC")
    await waitForText("figcaption", "$1,000,000.00")
    await page.waitForSelector("canvas")
    for (const range of ["1d", "1m", "1a", "all", "7d"]) {
      await page.locator(`input[value="${range}"] + span`).click()
      await page.waitForSelector("figure[aria-busy=false]")
    }
    const chartRanges = [...requestedUrls]
      .filter((url) => url.includes("/chart?"))
      .map((url) => url.split("timerange=")[1])
    assert.includeMembers(chartRanges, ["1d", "1m", "1a", "all", "7d"])
    await assertWellMade()
  })

  it("shows hostile metadata of NFTs as text and images, which run nothing and load nothing", async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="globalThis.pwned = 1"><script>globalThis.pwned = 2</script><image href="https://evil.example/x"/></svg>`
    const html = `<img src="https://evil.example/y" onerror="globalThis.pwned = 3">`
    const images = [
      `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`,
      `data:image/svg+xml,${encodeURIComponent(svg)}" onload="globalThis.pwned = 4`,
      "https://evil.example/z.png"
    ]
    const encodeImage = (image: string) =>
      encodeAbiParameters(
        [{ type: "string" }],
        [`data:application/json,${encodeURIComponent(JSON.stringify({ name: html, description: html, image }))}`]
      )
    const node = service.chains.rpcUrl(1)
    const name = encodeAbiParameters([{ type: "string" }], [html])
    for (const image of images) {
      const code = stubContract({
        "name()": name,
        "symbol()": name,
        "balanceOf(address)": numberToHex(1n, { size: 32 }),
        "tokenOfOwnerByIndex(address,uint256)": numberToHex(42n, { size: 32 }),
        "tokenURI(uint256)": encodeImage(image)
      })
      await askChain(node, "anvil_setCode", NFT_CONTRACT, code)
      await page.goto("about:blank")
      await openView(wallets[0]!, "portfolio")
      await waitForText(".nft", html)
      await page.evaluate(`document.querySelector(".nft").scrollIntoView()`)
      await page.waitForFunction("[...document.images].every((each) => each.complete)", { polling: 50 })
      assert.isUndefined(await page.evaluate("globalThis.pwned"))
      assert.strictEqual(
        await page.evaluate(`document.querySelectorAll(".nft img").length`),
        image.startsWith("data:") ? 1 : 0
      )
    }
    await askChain(node, "anvil_setCode", NFT_CONTRACT, "0x")
    assert.deepStrictEqual(consoleMessages, [])
  })

  it.each([
    ["personal_sign", "SimpleAccount 0.7"],
    ["eth_signTypedData_v4", "SimpleAccount 0.8"]
  ])("quotes a swap, has the browser's wallet sign by %s, and executes it", async (method, kind) => {
    owner = walletOf(kind)
    requestedMethods.length = 0
    await openView(owner, "swap")
    await waitForText("select[name=tokenOut]", "WETH")
    await press("Get a quote")
    await waitForText(".terms", "You get about")
    await waitForText(".calls", "Swap 100 USDC")
    await assertWellMade()
    await press("Sign with the browser wallet")
    await waitForText(".stages .done", "Completed")
    assert.deepStrictEqual([...new Set(requestedMethods)], [method])
    await assertWellMade()
  })

  it("shows balances, fills in the whole balance, and shows the error of a field once", async () => {
    await openView(walletOf("SimpleAccount 0.8"), "swap")
    await waitForText(".amount small", "Balance")
    await press("MAX")
    await waitForText("p", "is deducted from the amount")
    await press("Get a quote")
    await waitForText(".terms", "You give")
    await page.locator("input[name=amountIn]").fill("1.0000001")
    await press("Get a quote")
    await waitForText("[role=alert] li", "Amount")
    const alertText = await page.$eval("[role=alert]", (element) => element.textContent ?? "")
    assert.notInclude(alertText, "amountIn")
    assert.lengthOf(alertText.match(/decimals?/gu) ?? [], 1, alertText)
    consoleMessages.length = 0 // The browser logs each refusal of the service.
    await assertWellMade()
  })

  it("discards a quote if the form has changed during its request", async () => {
    await page.goto("about:blank")
    await openView(walletOf("SimpleAccount 0.8"), "swap")
    await waitForText("select[name=tokenOut]", "WETH")
    const heldRequests: Array<HTTPRequest> = []
    const onRequest = (request: HTTPRequest) => {
      if (request.url().endsWith("/crypto/swap")) heldRequests.push(request)
      else void request.continue()
    }
    await page.setRequestInterception(true)
    page.on("request", onRequest)
    await press("Get a quote")
    await waitUntilTrue(async () => heldRequests.length === 1)
    await page.locator("input[name=amountIn]").fill("50")
    const response = page.waitForResponse((each) => each.url().endsWith("/crypto/swap"))
    await heldRequests[0]!.continue()
    await (await response).text()
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 200))")
    assert.strictEqual(await page.evaluate(`document.querySelectorAll(".terms").length`), 0)
    page.off("request", onRequest)
    await page.setRequestInterception(false)
    await press("Get a quote")
    await waitForText(".calls", "Swap 50 USDC")
  })

  it("states in one sentence how much the paymaster may take, and for what", async () => {
    await page.locator("input[name=amountIn]").fill("100")
    await press("Get a quote")
    await waitForText(".card p", "The paymaster keeps an allowance of")
    await waitForText(".card p", "for later gas fees")
  })

  it("quotes a swap between two chains", async () => {
    await page.select("select[name=chainOut]", "8453")
    await page.waitForSelector("input[name=isLimit]", { hidden: true })
    const tokenValues = await page.$$eval("select[name=tokenOut] option", (options) =>
      options.map(({ value }) => value)
    )
    assert.include(tokenValues, USDC_ON_BASE)
    await page.select("select[name=chainOut]", "1")
    assert.deepStrictEqual(consoleMessages, [])
  })

  it("quotes a limit order at a price, and submits it", async () => {
    await openView(walletOf("SimpleAccount 0.8"), "swap")
    await waitForText("select[name=tokenOut]", "WETH")
    await page.locator("input[name=isLimit]").click()
    await waitForText("[role=status]", "Enter a price.")
    await page.locator("input[name=price]").fill("2000")
    await waitForText("[role=status]", "You get at least 0.05 WETH.")
    await press("Get a quote")
    await waitForText("h2", "Limit order")
    await waitForText(".terms", "Order expires")
    await assertWellMade()
  })

  it("keeps the price of a limit order if gas is deducted from the amount", async () => {
    const requests: Array<{ readonly amountIn: string; readonly minAmountOut: string }> = []
    const onRequest = (request: HTTPRequest) => {
      if (request.url().endsWith("/crypto/swap")) requests.push(JSON.parse(request.postData()!))
    }
    page.on("request", onRequest)
    await press("MAX")
    await waitForText("p", "is deducted from the amount")
    await press("Get a quote")
    await waitForText("h2", "Limit order")
    page.off("request", onRequest)
    const [fullRequest, deductedRequest] = requests
    assert.strictEqual(Number(fullRequest!.minAmountOut), Number(fullRequest!.amountIn) / 2_000)
    assert.strictEqual(deductedRequest!.amountIn, fullRequest!.amountIn)
    assert.isBelow(Number(deductedRequest!.minAmountOut), Number(fullRequest!.minAmountOut))
    assert.isAbove(Number(deductedRequest!.minAmountOut), Number(fullRequest!.minAmountOut) * 0.99)
  })

  it("sends tokens to an address", async () => {
    owner = walletOf("SimpleAccount 0.8")
    const receiver = "0x00000000000000000000000000000000000000aa"
    await openView(owner, "send")
    await waitForText("select[name=token]", "USDC")
    await page.locator("input[name=toAddress]").fill("0x12")
    await page.locator("input[name=amount]").fill("12.5")
    await press("Get a quote")
    await waitForText("[role=alert] li", "To address")
    consoleMessages.length = 0 // The browser logs each refusal of the service.
    await page.locator("input[name=toAddress]").fill(receiver)
    await press("Get a quote")
    await waitForText(".terms", receiver)
    await waitForText(".terms", "12.5 USDC")
    await assertWellMade()
    await press("Sign with the browser wallet")
    await waitForText(".stages .done", "Completed")
    await assertWellMade()
  })

  it("shows the address as a QR code, with the chains on which it receives", async () => {
    const { address } = walletOf("SimpleAccount 0.8")
    await openView(walletOf("SimpleAccount 0.8"), "receive")
    await waitForText("p.address", address)
    await waitForText("p", "on another chain can be lost")
    await assertWellMade()
    const picture = await (await page.waitForSelector("svg.qr"))!.screenshot()
    const { data, height, width } = PNG.sync.read(Buffer.from(picture))
    const decodedCode = (jsQr as unknown as typeof jsQr.default)(new Uint8ClampedArray(data), width, height)
    assert.strictEqual(decodedCode?.data.toLowerCase(), address.toLowerCase())
  })

  it("lets the sandbox sign for its demonstration owner", async () => {
    const wallet = walletOf("Safe 1.4.1")
    requestedMethods.length = 0
    await openView(wallet, "swap")
    await waitForText("select[name=tokenOut]", "WETH")
    await press("Get a quote")
    await press("Sign as the demo owner")
    await waitForText(".stages .done", "Completed")
    assert.deepStrictEqual(requestedMethods, [])
    assert.isTrue(service.logLines.some((line) => line.includes('"route":"/api/v1/events"')))
  })

  it("polls an execution if the service sends no events", async () => {
    await page.setRequestInterception(true)
    const respondTo = (request: HTTPRequest) => {
      if (new URL(request.url()).pathname.endsWith("/api/v1/events"))
        request.respond({ status: 200, contentType: "text/html", body: "" })
      else request.continue()
    }
    page.on("request", respondTo)
    await openView(walletOf("Safe 1.4.1"), "swap")
    await waitForText("select[name=tokenOut]", "WETH")
    await press("Get a quote")
    await press("Sign as the demo owner")
    await waitForText(".stages .done", "Completed")
    page.off("request", respondTo)
    await page.setRequestInterception(false)
  })

  it("rejects an account of the browser's wallet that does not own the smart wallet", async () => {
    owner = wallets[0]!
    await openView(walletOf("Safe 1.4.1"), "swap")
    await press("Get a quote")
    await press("Sign with the browser wallet")
    await waitForText("[role=alert]", "Choose that account")
  })

  it("filters the history, and shows the stages of an operation", async () => {
    await openView(wallets[0]!, "history")
    await waitForText(".row", "−100 USDC")
    await assertWellMade()
    await page.select("select[name=status]", "FAILED")
    await waitForText("[role=status]", "No transactions match.")
    await page.select("select[name=status]", "COMPLETED")
    await page.select("select[name=type]", "SWAP")
    await page.select("select[name=chain]", "1")
    await waitForText(".row", "Swap")
    await page.locator(".row").click()
    await waitForText("dialog[open] .stages", "Accepted")
    await waitForText("dialog[open]", "−100 USDC")
    await waitForText("dialog[open]", "Gas fee")
    await waitForText("dialog[open] li small", "in a")
    const link = await page.$eval("dialog a", ({ href, rel }) => ({ href, rel }))
    assert.match(link.href, /\/chains\/1\/tx\/0x[0-9a-f]{64}$/u)
    assert.include(link.rel, "noopener")
    await assertWellMade()
    await page.keyboard.press("Escape")
    await page.waitForSelector("dialog", { hidden: true })
    assert.strictEqual(await page.evaluate("document.activeElement?.className"), "row")
    await press("Clear")
    await waitForText(".row", "−100 USDC")
    assert.deepStrictEqual(consoleMessages, [])
  })

  it("shows the history page by page", async () => {
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
    await openView(wallet, "history")
    for (const expectedText of ["20 shown, and there are more", "40 shown, and there are more", "45 in total"]) {
      await waitForText("[role=status]", expectedText)
      assert.strictEqual(
        await page.evaluate("document.querySelectorAll('.row').length"),
        Number(expectedText.split(" ")[0])
      )
      if (!expectedText.endsWith("total")) await press("Show more")
    }
    assert.deepStrictEqual(consoleMessages, [])
  })

  it("shows the service's error for an invalid filter", async () => {
    await page.locator("input[name=metadataKey]").fill("order")
    await press("Apply")
    await waitForText("[role=alert] a", "BAD_REQUEST")
    await waitForText("[role=alert] li", "metadata")
    consoleMessages.length = 0
  })

  it("sends requests to its own service only, and puts the key into no URL", async () => {
    assert.deepStrictEqual(
      [...requestedUrls].filter((url) => !url.startsWith(`${service.baseUrl}/`) || url.includes(service.apiKey)),
      []
    )
    await press("Log out")
    await waitForText("label", "API key")
    assert.strictEqual(await page.evaluate("sessionStorage.length"), 0)
    assert.deepStrictEqual(consoleMessages, [])
  })
})
