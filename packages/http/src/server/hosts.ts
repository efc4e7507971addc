import type { IncomingMessage } from "node:http"

/** Matches a host name or address with an optional port. Matching values are safe in links. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/iu

/** Returns all values of the Host header. A request can contain several. */
const hostsOf = (rawHeaders: ReadonlyArray<string>): ReadonlyArray<string> =>
  rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === "host")

/** Returns what is invalid about a request's Host header; null if it is valid. */
export const hostProblemOrNull = (rawHeaders: ReadonlyArray<string>): string | null => {
  const hosts = hostsOf(rawHeaders)
  if (hosts.length > 1) return "The request has more than one Host header."
  // A request without a Host header can only be HTTP/1.0, because Node rejects an HTTP/1.1 request without one.
  return hosts.every((host) => HOST.test(host)) ? null : "The Host header is not a host name with an optional port."
}

/** Returns the host without its port, and without the brackets of an IPv6 address. */
const nameOf = (host: string): string =>
  host
    .toLowerCase()
    // An IPv6 address without brackets has several colons and no port.
    .replace(/^(\[.*\]|[^:]*):\d+$/u, "$1")
    .replaceAll(/[[\]]/gu, "")

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/u
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f.]*:[0-9a-f:.]*)$/u
const WILDCARDS = ["0.0.0.0", "::"]

/** Headers that proxies add. */
const FORWARDED = /^(?:forwarded|x-forwarded-.*|x-real-ip|via)$/u

/**
 * Returns whether a proxy forwarded the request. Every browser sends `Connection: keep-alive` over HTTP/1.1, and
 * proxies do not forward this header (RFC 9110, section 7.6.1). Its absence reveals a proxy that adds no header and
 * replaces the Host.
 */
const isForwarded = ({ headers, httpVersion }: Pick<IncomingMessage, "headers" | "httpVersion">): boolean =>
  httpVersion !== "1.1" ||
  headers.connection?.toLowerCase() !== "keep-alive" ||
  Object.keys(headers).some((name) => FORWARDED.test(name))

/**
 * Returns whether a browser on this machine sent the request. The connection and the Host must be loopback, and no
 * proxy may have forwarded the request.
 */
export const isLocalRequest = (
  request: Pick<IncomingMessage, "headers" | "httpVersion" | "rawHeaders" | "socket">
): boolean => {
  const peer = (request.socket.remoteAddress ?? "").replace(/^::ffff:/iu, "")
  return (
    [peer, ...hostsOf(request.rawHeaders)].map(nameOf).every((name) => LOOPBACK.test(name)) && !isForwarded(request)
  )
}

/**
 * Returns whether the Host of a request is a loopback name or one of `allowedHosts`. This prevents DNS rebinding: a
 * malicious page can make its own name resolve to this machine, but its requests then contain its own name as Host. A
 * wildcard allows every IP address, because DNS rebinding requires a name. A request without a Host is allowed, because
 * browsers send one.
 */
export const isHostAllowed = (rawHeaders: ReadonlyArray<string>, allowedHosts: ReadonlyArray<string>): boolean => {
  const allowedNames = allowedHosts.map(nameOf)
  const allowsAddresses = WILDCARDS.some((wildcard) => allowedNames.includes(wildcard))
  return hostsOf(rawHeaders)
    .map(nameOf)
    .every((name) => LOOPBACK.test(name) || allowedNames.includes(name) || (allowsAddresses && ADDRESS.test(name)))
}
