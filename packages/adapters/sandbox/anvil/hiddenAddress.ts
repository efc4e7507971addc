import { randomInt } from "node:crypto"

/**
 * anvil accepts requests from every client, including any page in a browser, because it checks neither the `Host`
 * header nor the `Origin` of a WebSocket. Therefore it listens on a random loopback address that only the gateway
 * knows, and the gateway does these checks. Linux has sixteen million loopback addresses; other systems have one.
 */
export const hiddenAddress = (): string =>
  process.platform === "linux" ? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}` : "127.0.0.1"
