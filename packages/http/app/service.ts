/** The URL of the service derives from the URL of the page, also behind a proxy with a path prefix. */
export const serviceUrl = new URL(".", location.href).href

/** The public API key of a sandbox; null for other services. */
export const sandboxKey = document.documentElement.dataset.sandboxKey ?? null

const urlOrNull = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)

/**
 * The logo at the page's own origin, whatever host its link contains, because the page only loads files from its own
 * origin.
 */
export const logoAt = (link: string): string => {
  const path = urlOrNull(link)?.pathname ?? ""
  const start = path.indexOf("/logos/")
  return start < 0 ? "favicon.svg" : path.slice(start + 1)
}

/** A link to a web page; null for other schemes, which a browser should not follow. */
export const pageLinkOrNull = (link: string | null): string | null =>
  link !== null && /^https?:$/u.test(urlOrNull(link)?.protocol ?? "") ? link : null
