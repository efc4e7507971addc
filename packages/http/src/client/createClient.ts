import type { Calls } from "./calls.ts"
import { type CombinedCalls, combinedCalls } from "./combinedCalls.ts"
import { errorFromResponse, noAnswerError, waitTimeoutError } from "./errors.ts"
import { type CountersignEvent, type EventsOptions, makeEvents } from "./events.ts"
import {
  type CallOptions,
  type ClientOptions,
  fetchOf,
  makeOpen,
  makeSend,
  pause,
  RETRIES,
  type WaitOptions
} from "./http.ts"
import { makeCalls } from "./makeCalls.ts"
import type { Transaction, UploadDescriptor } from "./resources.ts"

/** The combined calls, and calls that exist only in the HTTP client and not in the library. */
interface MoreCalls extends CombinedCalls {
  readonly kyc: {
    /**
     * Uploads a document with an upload descriptor. The document is a PDF, JPEG or PNG file of at most 25 MiB, with its
     * media type set. The request needs no API key.
     */
    upload(descriptor: UploadDescriptor, file: Blob): Promise<void>
  }
  /**
   * Streams the project's events, in the format of the webhooks. Reconnects if the connection is lost, and neither
   * skips nor repeats an event. With `after`, it first repeats the events of the minute before that cursor. Fails if
   * the service rejects the request, for example because the key may not read events. Fails also if the first
   * connection fails after `retries` retries. The stream ends when the caller leaves the `for await` loop, or when
   * `signal` is aborted.
   */
  events(options?: EventsOptions): AsyncGenerator<CountersignEvent, void, undefined>
}

/** A client for one service and API key. */
export type Client = Calls & MoreCalls

const finalStatuses: ReadonlySet<Transaction["status"]> = new Set([
  "COMPLETED",
  "PARTIALLY_COMPLETED",
  "FAILED",
  "CANCELLED",
  "EXPIRED",
  "REFUNDED"
])

const makeUpload =
  (request: typeof fetch) =>
  async ({ fields, url }: UploadDescriptor, file: Blob): Promise<void> => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append("file", file, "document")
    const response = await request(url, { method: "POST", body: form }).catch((cause) => {
      throw noAnswerError(url, cause)
    })
    if (response.status !== 204) throw errorFromResponse(new URL(url).origin, response, await response.text())
  }

/** Creates a client for one service and API key. */
export const createClient = (options: ClientOptions): Client => {
  const calls = makeCalls(makeSend(options))
  const { history, userOperations, webhooks } = calls

  /**
   * Polls until the transaction exists and has a final status. `transactionId` returns null while there is no
   * transaction.
   */
  const waitFor = async (
    transactionId: (options: CallOptions) => Promise<string | null> | string,
    { interval = 1_000, signal, timeoutMs }: WaitOptions
  ): Promise<Transaction> => {
    const timeoutSignal = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
    const options = { signal: AbortSignal.any([timeoutSignal, signal].filter((each) => each !== undefined)) }
    try {
      for (;;) {
        const id = await transactionId(options)
        const transaction = id === null ? null : await history.get(id, options)
        if (transaction !== null && finalStatuses.has(transaction.status)) return transaction
        await pause(interval, options.signal)
      }
    } catch (error) {
      throw error === timeoutSignal?.reason ? waitTimeoutError(timeoutMs!) : error
    }
  }

  /**
   * Ensures that the response contains the webhook's secret. The service returns a secret only in its first response.
   * If that response was lost and the retry returned null, this call rotates the secret.
   */
  const withSecret = async (response: ReturnType<typeof rotate>, options?: CallOptions): ReturnType<typeof rotate> => {
    const createdWebhook = await response
    if (createdWebhook.secret !== null) return createdWebhook
    return rotate(createdWebhook.webhook.id, { overlapSeconds: 0 }, { signal: options?.signal })
  }
  const rotate: Client["webhooks"]["rotate"] = (id, query, options) =>
    withSecret(webhooks.rotate(id, query, options), options)

  return {
    ...calls,
    ...combinedCalls(calls),
    userOperations: {
      ...userOperations,
      wait: (hash, options = {}) =>
        waitFor(async (callOptions) => (await userOperations.get(hash, callOptions)).transactionId, options)
    },
    kyc: { ...calls.kyc, upload: makeUpload(fetchOf(options)) },
    events: makeEvents(makeOpen(options), options.retries ?? RETRIES),
    webhooks: { ...webhooks, create: (body, options) => withSecret(webhooks.create(body, options), options), rotate },
    wait: ({ transactionId }, options = {}) => waitFor(() => transactionId, options)
  }
}
