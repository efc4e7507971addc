import { existsSync } from "node:fs"
import axe from "axe-core"
import { launch, type Page } from "puppeteer-core"

/** The paths of Debian's, Ubuntu's and Chrome's own packages. */
const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** A Chromium on this machine; undefined without one, and tests that need it are skipped. */
export const chromium = places.find((place) => existsSync(place))

/** Chromium's own sandbox needs rights that containers and root lack. The tests load trusted pages only. */
export const openBrowser = () => launch({ executablePath: chromium!, args: ["--no-sandbox"] })

/** The actions of a visitor on a page. */
export const visitor = (page: Page) => ({
  /** Waits until an element contains the text. */
  see: (selector: string, text = "") =>
    page.waitForFunction(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].some((element) => element.textContent.includes(${JSON.stringify(text)}))`,
      { polling: 50 }
    ),
  press: (text: string) => page.locator(`::-p-xpath(//button[contains(., "${text}")])`).click()
})

/** The violations that axe finds in the page, each with the element. */
export const accessibilityProblems = async (page: Page): Promise<ReadonlyArray<string>> => {
  // Two frames later the page has the emulated colours.
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as axe.AxeResults
  return violations.flatMap(({ help, nodes }) => nodes.map(({ html }) => `${help}: ${html}`))
}
