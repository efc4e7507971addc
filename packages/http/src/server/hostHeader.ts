/** A name or an address, and a port: what goes into links as it is. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/iu

/** What is wrong with the Host of a request, by its header fields as they came; null for nothing. */
export const hostProblemOrNull = (rawHeaders: ReadonlyArray<string>): string | null => {
  const hosts = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === "host")
  if (hosts.length > 1) return "The request has more than one Host header."
  // Without one it's HTTP/1.0, or Node has refused it.
  return hosts.every((host) => HOST.test(host)) ? null : "The Host header is no host name with an optional port."
}
