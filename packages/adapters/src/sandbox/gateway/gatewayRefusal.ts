import type { IncomingHttpHeaders } from "node:http"

/** Why the gateway takes no such request; null where it does. */
export interface GatewayRefusal {
  readonly status: 403 | 415
  readonly message: string
}

const THIS_MACHINE = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/u

/**
 * A page in a browser must not drive the sandbox. Under a host of its own that leads here, its requests name that host.
 * Under another, they name where they come from, or have one of the content types that a browser sends without asking.
 */
export const refusalOrNull = (
  method: string | undefined,
  { "content-type": contentType = "", host = "", origin }: IncomingHttpHeaders
): GatewayRefusal | null => {
  if (!THIS_MACHINE.test(host)) return { status: 403, message: "The sandbox answers on 127.0.0.1 only." }
  if (origin !== undefined && origin !== `http://${host}`) {
    return { status: 403, message: "The sandbox takes no request from a page of another origin." }
  }
  return method === "POST" && !/^application\/json\s*(?:;|$)/iu.test(contentType)
    ? { status: 415, message: "Send the body as application/json." }
    : null
}
