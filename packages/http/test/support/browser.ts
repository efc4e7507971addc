import { existsSync } from "node:fs"
import axe from "axe-core"
import { launch, type Page } from "puppeteer-core"

/** Paths in the packages of Debian, Ubuntu and Chrome. */
const chromiumPaths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** Path of a Chromium on this machine; undefined if there is none. Tests that need a browser are then skipped. */
export const chromiumPath = chromiumPaths.find((path) => existsSync(path))

/**
 * Opens the browser without Chromium's sandbox, which needs rights that containers and root do not have. The pages here
 * are trusted.
 */
export const openBrowser = () => launch({ executablePath: chromiumPath!, args: ["--no-sandbox"] })

/** Provides the actions of a visitor on a page. */
export const pageActions = (page: Page) => ({
  /** Waits until an element contains the text. */
  see: (selector: string, text = "") =>
    page.waitForFunction(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].some((element) => element.textContent.includes(${JSON.stringify(text)}))`,
      { polling: 50 }
    ),
  press: (text: string) => page.locator(`::-p-xpath(//button[contains(., "${text}")])`).click()
})

/** Returns the accessibility violations that axe finds in the page, each with its element. */
export const findAccessibilityProblems = async (page: Page): Promise<ReadonlyArray<string>> => {
  // The page applies the emulated color scheme within two frames.
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as axe.AxeResults
  return violations.flatMap(({ help, nodes }) => nodes.map(({ html }) => `${help}: ${html}`))
}
