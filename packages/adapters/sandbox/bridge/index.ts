import { BankError } from "../bank/BankError.ts"
import type { SandboxBridge } from "./SandboxBridge.ts"

/** The path of Bridge's API on the sandbox. */
export const BRIDGE_PATH = "/bridge"
export const BRIDGE_KEY = "sk-test-bridge"

export { bridgeChains } from "./bridgeChains.ts"
export type { BridgeState, BridgeTransfer } from "./bridgeTransfer.ts"
export { type BridgeChains, SandboxBridge } from "./SandboxBridge.ts"

const VERSION_PATH = "/v0"

interface BridgeHttpRequest {
  readonly method: string
  /** Path below `BRIDGE_PATH`, with the query. */
  readonly path: string
  readonly apiKey: string | null
  readonly idempotencyKey: string | null
  readonly body: string
}

export const bridgeResponse = async (bridge: SandboxBridge, { apiKey, path, ...request }: BridgeHttpRequest) => {
  if (apiKey !== BRIDGE_KEY)
    return { status: 401, body: { code: "invalid_credentials", message: "Invalid key" } as object }
  if (!path.startsWith(`${VERSION_PATH}/`)) return { status: 404, body: { message: `there is no ${path}` } }
  try {
    const body = await bridge.respond({ ...request, path: path.slice(VERSION_PATH.length) })
    return { status: request.method === "GET" ? 200 : 201, body }
  } catch (cause) {
    if (!(cause instanceof BankError)) throw cause
    return { status: cause.status, body: { message: cause.message, ...cause.details } }
  }
}
