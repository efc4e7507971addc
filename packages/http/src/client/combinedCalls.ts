// Generated from the library's file by `npm run client:types -w packages/http`. A test compares them.

import type { Calls, HistoryListQuery } from "./calls.ts"
import type { CallOptions, WaitOptions } from "./http.ts"
import type { Execution, SwapQuote, SwapRequest, Transaction, Wallet } from "./resources.ts"
import type { Signable } from "./signing.ts"

export interface BitcoinRegistration {
  readonly address: string
  /** Signs a message with the address's key like a Bitcoin wallet. Returns the signature in base64. */
  readonly signMessage: (message: string) => Promise<string> | string
  /**
   * Internal public key of a P2TR address. Other address types do not need it, because their proof contains the key.
   */
  readonly publicKey?: string
  /** Derivation of the key in a hardware signer (BIP-32). */
  readonly derivation?: { readonly masterFingerprint: string; readonly path: string }
  readonly metadata?: Record<string, string>
}

/** Calls that combine several requests. */
export interface CombinedCalls {
  readonly swap: {
    /** Returns the first of `quotes`, which is the best one. */
    quote(body: SwapRequest, options?: CallOptions): Promise<Signable<SwapQuote>>
  }
  readonly limitOrders: {
    /** Lists the limit orders of a wallet, newest first: its history filtered by this type. */
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
    /** Registers a Bitcoin address. Requests the proof message and calls the owner's `signMessage` (BIP-322). */
    registerBitcoin(registration: BitcoinRegistration, options?: CallOptions): Promise<Wallet>
  }
  /**
   * Waits until the transaction of an execution has ended, and returns it. Check its `status`. A reorg of the chain can
   * still undo it, which an event reports. `signal` cancels the wait.
   */
  wait(execution: Pick<Execution, "transactionId">, options?: WaitOptions): Promise<Transaction>
}

/** Builds the combined calls that do not wait, together with the other calls of their groups. */
export const combinedCalls = ({ history, limitOrders, swap, wallets }: Calls) => ({
  swap: {
    ...swap,
    quote: async (body: SwapRequest, options?: CallOptions) => (await swap.quotes(body, options))[0]!
  },
  limitOrders: {
    ...limitOrders,
    list: (walletAddress: string, query?: Omit<HistoryListQuery, "type">, options?: CallOptions) =>
      history.list(walletAddress, { ...query, type: ["LIMIT_ORDER"] }, options)
  },
  wallets: {
    ...wallets,
    registerBitcoin: async ({ signMessage, ...registration }: BitcoinRegistration, options: CallOptions = {}) => {
      const { address } = registration
      const { message } = await wallets.bitcoinProofMessage({ address }, { signal: options.signal })
      const proof = { message, signature: await signMessage(message) }
      return wallets.register({ ...registration, proof }, options)
    }
  }
})

export type ListResponse = Readonly<Record<string, unknown>>

/** Iterates over all items of a paginated list. Requests each page when it is needed. */
export async function* pageItems(
  field: string,
  requestPage: (query: object) => Promise<ListResponse>,
  query: object | undefined
) {
  let lastId: unknown
  do {
    const response = await requestPage(lastId === undefined ? { ...query } : { ...query, lastId })
    yield* response[field] as Iterable<unknown>
    lastId = response.nextLastId ?? undefined
  } while (lastId !== undefined)
}

/**
 * Ignores the error that a resource to delete does not exist. The first attempt may have deleted it, although its
 * response was lost.
 */
export const ignoreNotFound = (error: { readonly id?: string | null }): undefined => {
  if (!error.id?.endsWith("_NOT_FOUND")) throw error
}
