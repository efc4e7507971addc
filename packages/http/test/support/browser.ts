import { existsSync } from "node:fs"
import axe from "axe-core"
import { launch, type Page } from "puppeteer-core"

/** The paths of Debian's, Ubuntu's and Chrome's own packages. */
const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** A Chromium on this machine; undefined if there is none. Tests that need it are then skipped. */
export const chromium = places.find((place) => existsSync(place))

/** Disables Chromium's sandbox, which needs rights that containers and root lack. Pages here are trusted. */
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
  // The page has the emulated colours after two frames.
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as axe.AxeResults
  return violations.flatMap(({ help, nodes }) => nodes.map(({ html }) => `${help}: ${html}`))
}
