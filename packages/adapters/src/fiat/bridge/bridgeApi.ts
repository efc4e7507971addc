import { Redacted } from "effect"
import { providerApi } from "../providerApi.ts"

export interface BridgeSettings {
  /** Where that is not Bridge's own. */
  readonly url: string | null
  readonly apiKey: Redacted.Redacted<string>
  /** Whether customers must accept Bridge's terms before they are registered. */
  readonly hasTerms: boolean
  /** Of the webhook, as PEM. It checks Bridge's messages; without one none is taken, and orders are asked for alone. */
  readonly webhookPublicKey: string | null
}

export const TITLE = "Bridge"
const PUBLIC_URL = "https://api.bridge.xyz"

/** Asks Bridge's API. */
export const bridgeApi = ({ apiKey, url }: BridgeSettings) =>
  providerApi({ title: TITLE, base: `${url ?? PUBLIC_URL}/v0`, headers: { "api-key": Redacted.value(apiKey) } })
