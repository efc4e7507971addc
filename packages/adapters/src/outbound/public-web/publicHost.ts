import { isIP } from "node:net"
import { isPublicAddress } from "./publicAddress.ts"

/** Host names that always belong to a private network. */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)\.?$/iu

export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/gu, "")

/**
 * Whether a host name or address belongs to a private network, as far as its text shows. `URL` has already normalized
 * addresses: 0x7f.1 and 2130706433 become 127.0.0.1.
 */
export const isPrivateHost = (host: string): boolean =>
  isIP(host) === 0 ? PRIVATE_NAME.test(host) || !host.includes(".") : !isPublicAddress(host)
