import { BlockList, isIP } from "node:net"

/** IPv4 networks that are not public (IANA special-purpose address registries). */
const specialNetworks = new BlockList()

for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  // Carrier-grade NAT.
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // Link-local. Cloud providers serve instance credentials at 169.254.169.254.
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  // Multicast, reserved, broadcast.
  ["224.0.0.0", 3]
] as const) {
  specialNetworks.addSubnet(network, prefix, "ipv4")
}

/** Public IPv6 networks: only global unicast addresses, except the networks below. */
const globalUnicast = new BlockList()
globalUnicast.addSubnet("2000::", 3, "ipv6")

for (const [network, prefix] of [
  // IETF protocol assignments, including Teredo, ORCHID and benchmarking.
  ["2001::", 23],
  ["2001:db8::", 32],
  // 6to4.
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20]
] as const) {
  specialNetworks.addSubnet(network, prefix, "ipv6")
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/iu

/** Whether a text is an IP address on the public internet. */
export const isPublicAddress = (address: string): boolean => {
  const text = MAPPED.exec(address)?.[1] ?? address
  // An address with a zone (%eth0) is valid only on local networks.
  if (text.includes("%")) return false
  switch (isIP(text)) {
    case 4:
      return !specialNetworks.check(text, "ipv4")
    case 6:
      return globalUnicast.check(text, "ipv6") && !specialNetworks.check(text, "ipv6")
    default:
      return false
  }
}
