import { isIPv6 } from "node:net"

const GROUPS = 8
/** Number of 16-bit groups of an IPv6 address that identify a subnet. A host can use any address of its subnet. */
const SUBNET_GROUPS = 4
/**
 * Number of 16-bit groups that identify a site. Providers usually assign a customer at most one such site (RFC 6177).
 */
const SITE_GROUPS = 3

/** The networks whose limits a client's requests use. */
export interface ClientNetwork {
  /** The IPv4 address, or the first 64 bits of the IPv6 address. */
  readonly subnet: string
  /** The IPv4 address, or the first 48 bits of the IPv6 address. */
  readonly site: string
}

export const clientNetwork = (address: string): ClientNetwork => {
  const [, mappedAddress] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/iu.exec(address) ?? []
  if (mappedAddress !== undefined) return { subnet: mappedAddress, site: mappedAddress }
  if (!isIPv6(address)) return { subnet: address, site: address }
  const [head = [], tail = []] = address
    .split("%")[0]!
    .split("::")
    .map((groups) => (groups === "" ? [] : groups.split(":")))
  const zeros = Array<string>(Math.max(0, GROUPS - head.length - tail.length)).fill("0")
  const groups = [...head, ...zeros, ...tail]
  return { subnet: groups.slice(0, SUBNET_GROUPS).join(":"), site: groups.slice(0, SITE_GROUPS).join(":") }
}
