/** The service is where the page is, also behind a proxy that serves both under a path of its own. */
export const serviceUrl = new URL(".", location.href).href

/** The API key of a sandbox, where everybody may know it; null of any other service. */
export const sandboxKey = document.documentElement.dataset.sandboxKey ?? null

const urlOrNull = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)

/** A logo at the service itself, whatever name of the service stands in its link: the page loads from nowhere else. */
export const logoAt = (link: string): string => {
  const path = urlOrNull(link)?.pathname ?? ""
  const start = path.indexOf("/logos/")
  return start < 0 ? "favicon.svg" : path.slice(start + 1)
}

/** A link that leads to a page; null for what a browser should not follow. */
export const pageLinkOrNull = (link: string | null): string | null =>
  link !== null && /^https?:$/u.test(urlOrNull(link)?.protocol ?? "") ? link : null
