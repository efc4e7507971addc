import { Redacted } from "effect"
import { providerApi } from "../providerApi.ts"

export interface BlindPaySettings {
  /** Where that is not BlindPay's own. */
  readonly url: string | null
  readonly apiKey: Redacted.Redacted<string>
  readonly instanceId: string
  /** With which it signs its messages; without one none is taken, and orders are asked for alone. */
  readonly webhookSecret: Redacted.Redacted<string> | null
}

export const TITLE = "BlindPay"
const PUBLIC_URL = "https://api.blindpay.com"

/** Asks BlindPay's API, below the instance. */
export const blindPayApi = ({ apiKey, instanceId, url }: BlindPaySettings) =>
  providerApi({
    title: TITLE,
    base: `${url ?? PUBLIC_URL}/v1/instances/${encodeURIComponent(instanceId)}`,
    headers: { authorization: `Bearer ${Redacted.value(apiKey)}` }
  }).ask
