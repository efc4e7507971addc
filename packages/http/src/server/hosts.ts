import type { IncomingMessage } from "node:http"

/** A host name or address with an optional port, safe for use in links. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/iu

/** The values of the Host header, from the raw header fields. */
const hostsOf = (rawHeaders: ReadonlyArray<string>): ReadonlyArray<string> =>
  rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === "host")

/** The problem of a request's Host header; null if there is none. */
export const hostProblemOrNull = (rawHeaders: ReadonlyArray<string>): string | null => {
  const hosts = hostsOf(rawHeaders)
  if (hosts.length > 1) return "The request has more than one Host header."
  // Without a Host header the request is HTTP/1.0, or Node has rejected it.
  return hosts.every((host) => HOST.test(host)) ? null : "The Host header is not a host name with an optional port."
}

/** The host without the port and the brackets of an IPv6 address. */
const nameOf = (host: string): string =>
  host
    .toLowerCase()
    // A bare IPv6 address has several colons and no port.
    .replace(/^(\[.*\]|[^:]*):\d+$/u, "$1")
    .replaceAll(/[[\]]/gu, "")

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/u
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f.]*:[0-9a-f:.]*)$/u
const WILDCARDS = ["0.0.0.0", "::"]

/** Headers in which a proxy names the client of the request. */
const FORWARDED = /^(?:forwarded|x-forwarded-.*|x-real-ip|via)$/u

/**
 * Whether a proxy forwards the request. Every browser sends `Connection: keep-alive` over HTTP/1.1, and proxies do not
 * forward this header (RFC 9110, section 7.6.1). So a proxy is recognized even if it adds no header and replaces the
 * Host.
 */
const isForwarded = ({ headers, httpVersion }: Pick<IncomingMessage, "headers" | "httpVersion">): boolean =>
  httpVersion !== "1.1" ||
  headers.connection?.toLowerCase() !== "keep-alive" ||
  Object.keys(headers).some((name) => FORWARDED.test(name))

/**
 * Whether a browser on this machine sends the request. The connection and the Host must be loopback, and no proxy may
 * forward the request.
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
 * Whether the Host of a request is this machine, or one of these hosts. A page of another origin can make its own name
 * resolve to this machine and read responses (DNS rebinding), but its requests contain its own host. A wildcard allows
 * every IP address, because rebinding needs a name.
 */
export const isHostAllowed = (rawHeaders: ReadonlyArray<string>, allowedHosts: ReadonlyArray<string>): boolean => {
  const allowedNames = allowedHosts.map(nameOf)
  const allowsAddresses = WILDCARDS.some((wildcard) => allowedNames.includes(wildcard))
  return hostsOf(rawHeaders)
    .map(nameOf)
    .every((name) => LOOPBACK.test(name) || allowedNames.includes(name) || (allowsAddresses && ADDRESS.test(name)))
}
