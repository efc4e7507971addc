import { Redacted } from "effect"
import { providerApi } from "../providerApi.ts"

export interface BridgeSettings {
  /** Base URL of the API; null for Bridge's own URL. */
  readonly url: string | null
  readonly apiKey: Redacted.Redacted<string>
  /** Whether customers must accept Bridge's terms before they are registered. */
  readonly hasTerms: boolean
  /**
   * The webhook's public key as PEM, which verifies webhooks. If null, webhooks are rejected, and orders are only
   * polled.
   */
  readonly webhookPublicKey: string | null
}

export const TITLE = "Bridge"
const PUBLIC_URL = "https://api.bridge.xyz"

/** Creates a client for Bridge's API. */
export const bridgeApi = ({ apiKey, url }: BridgeSettings) =>
  providerApi({ title: TITLE, base: `${url ?? PUBLIC_URL}/v0`, headers: { "api-key": Redacted.value(apiKey) } })
