import { Redacted } from "effect"
import { providerApi } from "../providerApi.ts"

export interface BlindPaySettings {
  /** Base URL of the API; null for BlindPay's own URL. */
  readonly url: string | null
  readonly apiKey: Redacted.Redacted<string>
  readonly instanceId: string
  /** Whether customers must accept BlindPay's terms before the registration. False for the sandbox's bank. */
  readonly hasTerms: boolean
  /** Secret that verifies webhooks. If null, webhooks are rejected, and orders are only polled. */
  readonly webhookSecret: Redacted.Redacted<string> | null
}

export const TITLE = "BlindPay"
const PUBLIC_URL = "https://api.blindpay.com"

/** Creates clients for BlindPay's API: one for the resources of the instance, and one for other resources. */
export const blindPayApis = ({ apiKey, instanceId, url }: BlindPaySettings) => {
  const base = `${url ?? PUBLIC_URL}/v1`
  const host = { title: TITLE, headers: { authorization: `Bearer ${Redacted.value(apiKey)}` } }
  return {
    instance: providerApi({ ...host, base: `${base}/instances/${encodeURIComponent(instanceId)}` }),
    root: providerApi({ ...host, base })
  }
}
