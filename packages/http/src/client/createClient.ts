import type { Calls, HistoryListQuery } from "./calls.ts"
import { errorOfAnswer, waitTimeout } from "./errors.ts"
import { type CountersignEvent, type EventsOptions, makeEvents } from "./events.ts"
import { type CallOptions, type ClientOptions, makeOpen, makeSend, pause, RETRIES } from "./http.ts"
import { makeCalls } from "./makeCalls.ts"
import type { Execution, SwapQuote, SwapRequest, Transaction, UploadDescriptor, Wallet } from "./resources.ts"
import type { Signable } from "./signing.ts"

export interface WaitOptions extends CallOptions {
  /** Timeout in milliseconds, after which it fails with WAIT_TIMEOUT. No timeout by default. */
  readonly timeoutMs?: number
  /** Milliseconds between two polls. Default: 1,000. */
  readonly interval?: number
}

export interface BitcoinRegistration {
  readonly address: string
  /** Signs a message with the address's key, as Bitcoin wallets do, and returns the signature in base64. */
  readonly signMessage: (message: string) => Promise<string> | string
  /**
   * The internal public key of a P2TR address. Other address types do not need it, because their proof contains the
   * key.
   */
  readonly publicKey?: string
  /** The derivation path of the key in a hardware signer (BIP-32). */
  readonly derivation?: { readonly masterFingerprint: string; readonly path: string }
  readonly metadata?: Record<string, string>
}

/** Calls that combine several requests. */
interface MoreCalls {
  readonly swap: {
    /** Returns the first of `quotes`: the best one. */
    quote(body: SwapRequest, options?: CallOptions): Promise<Signable<SwapQuote>>
  }
  readonly limitOrders: {
    /** The limit orders of a wallet, newest first: its history filtered by this type. */
    list(
      walletAddress: string,
      query?: Omit<HistoryListQuery, "type">,
      options?: CallOptions
    ): AsyncIterable<Transaction>
  }
  readonly userOperations: {
    /** Like `wait`, for the hash of a user operation that may not be executed yet. */
    wait(userOperationHash: string, options?: WaitOptions): Promise<Transaction>
  }
  readonly wallets: {
    /** Registers a Bitcoin address. Gets the proof message and calls the owner's `signMessage` (BIP-322). */
    registerBitcoin(registration: BitcoinRegistration, options?: CallOptions): Promise<Wallet>
  }
  readonly kyc: {
    /**
     * Uploads a document to its upload descriptor. The document is a PDF, JPEG or PNG file with its media type, of at
     * most 25 MiB. The request needs no API key.
     */
    upload(descriptor: UploadDescriptor, file: Blob): Promise<void>
  }
  /**
   * The events of the project, as in webhooks. Reconnects if the connection is lost, without missing or repeating an
   * event. Fails if the key may not read events, or if the first connection fails more often than `retries` allows.
   * Without `signal` the subscription ends with the loop that reads it.
   */
  events(options?: EventsOptions): AsyncGenerator<CountersignEvent, void, undefined>
  /**
   * Waits until the transaction of an execution has ended, and returns it. Check its `status`. `signal` cancels the
   * wait.
   */
  wait(execution: Pick<Execution, "transactionId">, options?: WaitOptions): Promise<Transaction>
}

/** A client for one service and API key. */
export type Client = Calls & MoreCalls

const endings: ReadonlySet<Transaction["status"]> = new Set([
  "COMPLETED",
  "PARTIALLY_COMPLETED",
  "FAILED",
  "CANCELLED",
  "EXPIRED",
  "REFUNDED"
])

const upload = async ({ fields, url }: UploadDescriptor, file: Blob): Promise<void> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append("file", file, "document")
  const response = await fetch(url, { method: "POST", body: form })
  if (response.status !== 204) throw errorOfAnswer(url, response, await response.text())
}

/** Creates a client for one service and API key. */
export const createClient = (options: ClientOptions): Client => {
  const calls = makeCalls(makeSend(options))
  const { history, limitOrders, swap, userOperations, wallets, webhooks } = calls

  /** Waits until the transaction has an id and has ended. */
  const waitFor = async (
    transactionId: (options: CallOptions) => Promise<string | null> | string,
    { interval = 1_000, signal, timeoutMs }: WaitOptions
  ): Promise<Transaction> => {
    const limit = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
    const options = { signal: AbortSignal.any([limit, signal].filter((each) => each !== undefined)) }
    try {
      for (;;) {
        const id = await transactionId(options)
        const transaction = id === null ? null : await history.get(id, options)
        if (transaction !== null && endings.has(transaction.status)) return transaction
        await pause(interval, options.signal)
      }
    } catch (error) {
      throw error === limit?.reason ? waitTimeout(timeoutMs!) : error
    }
  }

  /**
   * The service returns the secret only once. If the response with the secret was lost and only the response to a retry
   * arrived, the call rotates the secret.
   */
  const withSecret = async (answer: ReturnType<typeof rotate>, options?: CallOptions): ReturnType<typeof rotate> => {
    const createdWebhook = await answer
    if (createdWebhook.secret !== null) return createdWebhook
    return rotate(createdWebhook.webhook.id, { overlapSeconds: 0 }, { signal: options?.signal })
  }
  const rotate: Client["webhooks"]["rotate"] = (id, query, options) =>
    withSecret(webhooks.rotate(id, query, options), options)

  return {
    ...calls,
    swap: { ...swap, quote: async (body, options) => (await swap.quotes(body, options))[0]! },
    limitOrders: {
      ...limitOrders,
      list: (walletAddress, query, options) => history.list(walletAddress, { ...query, type: ["LIMIT_ORDER"] }, options)
    },
    userOperations: {
      ...userOperations,
      wait: (hash, options = {}) =>
        waitFor(async (each) => (await userOperations.get(hash, each)).transactionId, options)
    },
    wallets: {
      ...wallets,
      registerBitcoin: async ({ signMessage, ...registration }, options = {}) => {
        const { address } = registration
        const { message } = await wallets.bitcoinProofMessage({ address }, { signal: options.signal })
        const proof = { message, signature: await signMessage(message) }
        return wallets.register({ ...registration, proof }, options)
      }
    },
    kyc: { ...calls.kyc, upload },
    events: makeEvents(makeOpen(options), options.retries ?? RETRIES),
    webhooks: { ...webhooks, create: (body, options) => withSecret(webhooks.create(body, options), options), rotate },
    wait: ({ transactionId }, options = {}) => waitFor(() => transactionId, options)
  }
}
