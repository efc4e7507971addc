import { Redacted } from "effect"
import { providerApi } from "../providerApi.ts"

export interface BlindPaySettings {
  /** Where that is not BlindPay's own. */
  readonly url: string | null
  readonly apiKey: Redacted.Redacted<string>
  readonly instanceId: string
  /** Whether customers must accept its terms before they are registered. Not so at the sandbox's bank. */
  readonly hasTerms: boolean
  /** With which it signs its messages; without one none is taken, and orders are asked for alone. */
  readonly webhookSecret: Redacted.Redacted<string> | null
}

export const TITLE = "BlindPay"
const PUBLIC_URL = "https://api.blindpay.com"

/** Asks BlindPay's API: below the instance, and what belongs to no instance. */
export const blindPayApis = ({ apiKey, instanceId, url }: BlindPaySettings) => {
  const base = `${url ?? PUBLIC_URL}/v1`
  const host = { title: TITLE, headers: { authorization: `Bearer ${Redacted.value(apiKey)}` } }
  return {
    instance: providerApi({ ...host, base: `${base}/instances/${encodeURIComponent(instanceId)}` }),
    root: providerApi({ ...host, base })
  }
}
