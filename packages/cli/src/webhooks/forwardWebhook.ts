import type { ReceivedWebhook } from "./receiveWebhooks.ts"

/** The service's default timeout for webhook endpoints. */
const TIMEOUT_MS = 15_000

const signedHeaders = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const

export interface ForwardResult {
  /** Status to return to the service: the receiver's status, or 502 if the receiver did not respond. */
  readonly status: number
  /** Text such as `200 in 12 ms`, or why there was no response. */
  readonly text: string
}

const reasonOf = (error: unknown): string => {
  if (error instanceof Error && error.name === "TimeoutError") return `no response within ${TIMEOUT_MS / 1_000} s`
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}

/** Forwards a delivery unchanged, so that the receiver can verify its signature. */
export const forwardWebhook = async (url: string, { body, headers }: ReceivedWebhook): Promise<ForwardResult> => {
  const startedAt = performance.now()
  const sentHeaders = Object.fromEntries(signedHeaders.map((name) => [name, String(headers[name] ?? "")]))
  try {
    const { status } = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...sentHeaders },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS)
    })
    return { status, text: `${status} in ${Math.round(performance.now() - startedAt)} ms` }
  } catch (error) {
    return { status: 502, text: reasonOf(error) }
  }
}
