import { randomInt } from "node:crypto"

export interface HiddenEndpoint {
  readonly host: string
  readonly port: number
}

const isLinux = process.platform === "linux"

/**
 * Returns a random loopback address for an anvil. anvil accepts requests from every client, including any page in a
 * browser, because it checks neither the `Host` header nor the `Origin`. Only the gateway knows the address, and the
 * gateway checks these headers. Linux has 16 million loopback addresses; other systems have only one.
 */
export const hiddenAddress = (): string =>
  isLinux ? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}` : "127.0.0.1"

/**
 * Returns the port for an anvil. With a random address every anvil can use the same port. With a single address each
 * needs its own, which is below the ephemeral ports of macOS.
 */
export const hiddenPort = (): number => (isLinux ? 8_545 : randomInt(20_000, 49_152))
