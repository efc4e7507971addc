import { randomInt } from "node:crypto"

/**
 * anvil takes requests from every client that reaches it, from any page in a browser too: it looks at no Host, and at no
 * Origin of a WebSocket. So it listens where only the gateway finds it, which does look: on one of the sixteen
 * million addresses that Linux has for itself. Other systems have one.
 */
export const hiddenAddress = (): string =>
  process.platform === "linux" ? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}` : "127.0.0.1"
