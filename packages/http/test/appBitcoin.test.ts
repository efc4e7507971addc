import { randomBytes } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BitcoinAddress } from "@countersign/core/foundation/primitives"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Transaction } from "bitcoinjs-lib"
import jsQr from "jsqr"
import { PNG } from "pngjs"
import type { Browser, Page } from "puppeteer-core"
import { addressToScript } from "../../adapters/src/chains/bitcoin/readAddress.ts"
import { type EsploraEmulator, startEsploraEmulator } from "../../adapters/test/bitcoin/EsploraEmulator.ts"
import { waitUntil } from "../../core/test/support/until.ts"
import { type BitcoinOwner, registerOwner, signAndFinalize, signPsbt } from "./support/bitcoinOwner.ts"
import { chromiumPath, findAccessibilityProblems, openBrowser, pageActions } from "./support/browser.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/**
 * Tests a Bitcoin wallet in the page: its balance, its deposit address, and payments that its owner signs in another
 * program.
 */

const RECEIVER = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"

const title =
  chromiumPath === undefined
    ? "a Bitcoin wallet in the page (skipped: this machine has no Chromium)"
    : "a Bitcoin wallet in the page"

describe.skipIf(chromiumPath === undefined)(title, () => {
  const downloadFolder = mkdtempSync(join(tmpdir(), "countersign-page-"))
  const consoleMessages: Array<string> = []
  let service: TestService
  let esplora: EsploraEmulator
  let browser: Browser
  let page: Page
  let owner: BitcoinOwner

  const waitForText = (selector: string, text = "") => pageActions(page).see(selector, text)
  const press = (text: string) => pageActions(page).press(text)

  const fund = (address: string, value: bigint) => {
    const transaction = new Transaction()
    transaction.addInput(new Uint8Array(32), 0xffff_ffff, undefined, new Uint8Array(randomBytes(8)))
    const script = Buffer.from(addressToScript(BitcoinAddress.make(address)).slice(2), "hex")
    transaction.addOutput(Uint8Array.from(script), value)
    esplora.chain.add(transaction, esplora.state.height - 200)
  }

  beforeAll(async () => {
    esplora = await startEsploraEmulator()
    service = await startTestService({ asSandbox: true, bitcoin: { esploraUrls: [esplora.url] } })
    owner = await registerOwner(service, new Uint8Array(randomBytes(32)), 3)
    for (const value of [1_000_000n, 1_000_000n]) fund(owner.address, value)
    esplora.balances.set(owner.address, {
      fundedAmount: 2_000_000n,
      spentAmount: 0n,
      waitingIn: 5_000n,
      waitingOut: 0n
    })
    browser = await openBrowser()
    page = await browser.newPage()
    const cdpSession = await page.createCDPSession()
    await cdpSession.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: downloadFolder })
    page.on("console", (message) => {
      if (["error", "warn"].includes(message.type())) consoleMessages.push(message.text())
    })
    page.on("pageerror", (error) => consoleMessages.push(String(error)))
    page.setDefaultTimeout(20_000)
    await page.setViewport({ width: 390, height: 844 })
    await page.goto(`${service.baseUrl}/app`)
    await page.locator("input[name=apiKey]").fill(service.apiKey)
    await press("Show wallets")
    await waitForText(".wallet", "Bitcoin")
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    esplora?.stop()
    rmSync(downloadFolder, { recursive: true, force: true })
  })

  const openView = async (view: string) => {
    await page.goto(`${service.baseUrl}/app#/${owner.address}/${view}`)
    await waitForText("[aria-current=page]", view.slice(1))
  }

  const assertWellMade = async () => {
    assert.strictEqual(await page.evaluate("document.documentElement.scrollWidth"), 390)
    assert.deepStrictEqual(await findAccessibilityProblems(page), [])
    assert.deepStrictEqual(consoleMessages, [])
  }

  const requestPsbt = async (amount: string): Promise<string> => {
    await openView("send")
    await page.locator("input[name=toAddress]").fill(RECEIVER)
    await page.locator("input[name=amount]").fill(amount)
    await page.locator("input[name=feeRate]").fill("7")
    await press("Get a quote")
    await waitForText(".rows", RECEIVER)
    await waitForText(".terms", "7 sat/vB")
    await assertWellMade()
    await page.locator("a[download]").click()
    const name = await page.$eval("a[download]", ({ download }: { readonly download: string }) => download)
    await waitUntil(
      async () => readdirSync(downloadFolder),
      (names) => names.includes(name)
    )
    return `0x${readFileSync(join(downloadFolder, name)).toString("hex")}`
  }

  it("shows its value, the unconfirmed balance, and its chart", async () => {
    await openView("portfolio")
    await waitForText("tbody", "BTC")
    await waitForText("tbody", "0.02")
    await waitForText("tbody small", "+0.00005 unconfirmed")
    await page.waitForSelector("figure[aria-busy=false]")
    await assertWellMade()
    const tabs = await page.$$eval(".tabs a", (links) => links.map(({ textContent }) => textContent))
    assert.deepStrictEqual(tabs, ["Portfolio", "History", "Receive", "Send"])
  })

  it("shows its address, as text and as a QR code", async () => {
    await openView("receive")
    await waitForText("p.address", owner.address)
    await assertWellMade()
    const picture = await (await page.waitForSelector("svg.qr"))!.screenshot()
    const { data, height, width } = PNG.sync.read(Buffer.from(picture))
    const decodedCode = (jsQr as unknown as typeof jsQr.default)(new Uint8ClampedArray(data), width, height)
    assert.strictEqual(decodedCode?.data, `bitcoin:${owner.address}`)
  })

  it("shows no deposit address that the project has not registered", async () => {
    await page.goto(`${service.baseUrl}/app#/${RECEIVER}/receive`)
    await waitForText("[role=alert] a", "NOT_REGISTERED")
    assert.deepStrictEqual(await page.$$("svg.qr, p.address"), [])
    consoleMessages.length = 0 // The browser logs each refusal of the service.
  })

  it("pays with a PSBT that is signed elsewhere and uploaded as a file", async () => {
    const signedTransaction = signPsbt(owner, await requestPsbt("0.001"))
    const file = join(downloadFolder, "signed.psbt")
    writeFileSync(file, signedTransaction.toPSBT())
    const input = await page.waitForSelector("input[type=file]")
    await (input as unknown as { uploadFile: (path: string) => Promise<void> }).uploadFile(file)
    await press("Broadcast")
    await waitForText("h2", "Execution")
    await waitForText(".stages .current", "")
    await assertWellMade()
    assert.isDefined(esplora.chain.entry(signedTransaction.id))
  })

  it("pays with a transaction that is pasted, and shows the error of another text", async () => {
    const psbt = await requestPsbt("0.002")
    await page.locator("textarea").fill("no transaction?")
    await press("Broadcast")
    await waitForText("[role=alert]", "neither a PSBT nor a transaction")
    await page.locator("textarea").fill("00")
    await press("Broadcast")
    await waitForText("[role=alert] a", "INVALID_SIGNATURE")
    consoleMessages.length = 0 // The browser logs each refusal of the service.
    await page.locator("textarea").fill(signAndFinalize(owner, psbt))
    await press("Broadcast")
    await waitForText("h2", "Execution")
    await openView("history")
    await waitForText(".row", "−0.002 BTC")
    await waitForText(".row", "−0.001 BTC")
    await assertWellMade()
  })

  it("sends the whole balance, or states why it cannot", async () => {
    await openView("send")
    await page.locator("input[name=toAddress]").fill(RECEIVER)
    await page.locator("input[name=all]").click()
    await press("Get a quote")
    await waitForText("[role=alert]", "The wallet can spend 0 BTC")
    await assertWellMade()
  })

  it("does not offer Bitcoin in the swaps of a smart wallet", async () => {
    await page.goto(`${service.baseUrl}/app#/0x${"5b".repeat(20)}/swap`)
    await waitForText("select[name=chainIn]", "Ethereum")
    const chains = await page.$$eval("select[name=chainIn] option", (options) =>
      options.map(({ textContent }) => textContent)
    )
    assert.notInclude(chains, "Bitcoin")
  })
})
