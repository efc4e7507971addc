/** Runs in the page: what those who use a keyboard or a screen reader would miss, in words; nothing where all is well. */
export const accessibilityProblems = (): ReadonlyArray<string> => {
  const problems: Array<string> = []
  const nameOf = (element: Element) => element.outerHTML.slice(0, 80)
  const every = (selector: string, problem: string, isWell: (element: HTMLElement) => boolean) => {
    for (const element of document.querySelectorAll<HTMLElement>(selector))
      if (!isWell(element)) problems.push(`${problem}: ${nameOf(element)}`)
  }
  every("input, select", "no label", (field) => ((field as HTMLInputElement).labels?.length ?? 0) > 0)
  every("button, a, th, label", "no words", ({ textContent }) => textContent.trim() !== "")
  every("img", "no alt", (image) => image.hasAttribute("alt"))
  every("[aria-labelledby]", "no such label", (element) =>
    Boolean(document.getElementById(element.getAttribute("aria-labelledby")!))
  )
  if (document.documentElement.lang === "") problems.push("the document has no language")
  if (document.querySelectorAll("h1").length !== 1) problems.push("the document has not one h1")

  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!
  /** Red, green, blue and alpha of any colour that CSS knows, over what is drawn already. */
  const draw = (colour: string) => {
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
  }
  const luminance = (colour: ReadonlyArray<number>) => {
    const [red = 0, green = 0, blue = 0] = colour.map((part) =>
      part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const backgroundOf = (element: Element) => {
    const behind: Array<string> = []
    for (let at: Element | null = element; at !== null; at = at.parentElement)
      behind.unshift(getComputedStyle(at).backgroundColor)
    return behind.map(draw).at(-1)!
  }
  // WCAG 2.2, 1.4.3: 4.5 to 1.
  every("main *, header *", "too little contrast", (element) => {
    const hasText = [...element.childNodes].some(({ nodeType, nodeValue }) => nodeType === 3 && nodeValue?.trim())
    if (!hasText || element.closest(":disabled, option")) return true
    const behind = luminance(backgroundOf(element))
    const text = luminance(draw(getComputedStyle(element).color))
    return (Math.max(behind, text) + 0.05) / (Math.min(behind, text) + 0.05) >= 4.5
  })
  return problems
}
