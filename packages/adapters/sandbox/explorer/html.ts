/** Markup that is not escaped again. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = string | Html | ReadonlyArray<Html>

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const markupOf = (part: Part): string => {
  if (typeof part === "string") return part.replace(/[&<>"']/gu, (character) => entities[character]!)
  return part instanceof Html ? part.text : part.map(({ text }) => text).join("")
}

/** Template tag that builds markup and escapes inserted text. */
export const html = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html =>
  new Html(String.raw({ raw: strings }, ...parts.map(markupOf)))
