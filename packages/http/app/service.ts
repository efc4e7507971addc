/** URL of the service, derived from the URL of the page. This also works behind a proxy with a path prefix. */
export const serviceUrl = new URL(".", location.href).href

/** The public API key of a sandbox; null for other services. */
export const sandboxKey = document.documentElement.dataset.sandboxKey ?? null

const urlOrNull = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)

/**
 * Returns the URL of a logo at the page's own origin, because the page's policy does not allow images from other hosts.
 */
export const logoAt = (link: string): string => {
  const path = urlOrNull(link)?.pathname ?? ""
  const start = path.indexOf("/logos/")
  return start < 0 ? "favicon.svg" : path.slice(start + 1)
}

/** Returns an http or https link. Null for other schemes, which a browser should not follow. */
export const pageLinkOrNull = (link: string | null): string | null =>
  link !== null && /^https?:$/u.test(urlOrNull(link)?.protocol ?? "") ? link : null
