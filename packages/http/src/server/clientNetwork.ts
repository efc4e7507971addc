import { isIPv6 } from "node:net"

/** The number of the 16-bit groups of an IPv6 address that name the network: clients choose the others. */
const NETWORK_GROUPS = 4
const GROUPS = 8

/** The network of a client: an IPv4 address, or the first 64 bits of an IPv6 address. */
export const clientNetwork = (address: string): string => {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/iu.exec(address) ?? []
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [head = [], tail = []] = address
    .split("%")[0]!
    .split("::")
    .map((groups) => (groups === "" ? [] : groups.split(":")))
  const zeros = Array<string>(Math.max(0, GROUPS - head.length - tail.length)).fill("0")
  return [...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS).join(":")
}
