import { randomInt } from "node:crypto"

/**
 * Returns a random loopback address for an anvil. anvil accepts requests from every client, including any page in a
 * browser, because it checks neither the `Host` header nor the `Origin`. Only the gateway knows the address, and the
 * gateway checks these headers. Linux has 16 million loopback addresses; other systems have only one.
 */
export const hiddenAddress = (): string =>
  process.platform === "linux" ? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}` : "127.0.0.1"
