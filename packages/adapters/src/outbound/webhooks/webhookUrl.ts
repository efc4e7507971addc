import type { UrlProblem } from "@countersign/core/tenancy/webhooks"
import { hostOf, isPrivateHost } from "../public-web/index.ts"

const URL_LENGTH_MAX = 2048

/**
 * Returns the problem of a webhook URL, as far as its text shows; null if there is none. The resolved address is
 * checked at each connection. `URL` has already normalized addresses: 0x7f.1 and 2130706433 become 127.0.0.1.
 */
export const webhookUrlProblem = (text: string, allowPrivateTargets: boolean): UrlProblem | null => {
  const url = URL.parse(text)
  if (url === null) return { code: "invalid_url", message: "Expected a URL, such as https://example.com/webhooks" }
  if (text.length > URL_LENGTH_MAX) {
    return { code: "too_long", message: `A URL may have at most ${URL_LENGTH_MAX} characters.` }
  }
  if (url.protocol !== "https:" && !(url.protocol === "http:" && allowPrivateTargets)) {
    return { code: "not_https", message: "Events are sent over https only." }
  }
  if (url.username !== "" || url.password !== "") {
    return {
      code: "credentials",
      message: "Remove user and password from the URL. Receivers verify deliveries by their signature."
    }
  }
  if (!allowPrivateTargets && isPrivateHost(hostOf(url))) {
    return {
      code: "private_target",
      message: `${hostOf(url)} is not a public address. Events are not sent to private networks.`
    }
  }
  return null
}
