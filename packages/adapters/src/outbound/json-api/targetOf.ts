/**
 * Returns a URL without credentials, its name for metrics, and its credentials as a header, because `fetch` rejects a
 * URL with credentials.
 */
export const targetOf = (
  text: string
): { readonly name: string; readonly url: string; readonly headers: Readonly<Record<string, string>> } => {
  const url = new URL(text)
  const { password, username } = url
  url.username = ""
  url.password = ""
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  const hasCredentials = username !== "" || password !== ""
  return {
    name: url.host,
    url: url.href,
    headers: hasCredentials ? { authorization: `Basic ${credentials.toString("base64")}` } : {}
  }
}
