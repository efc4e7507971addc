import type { ProjectId } from "@countersign/core/tenancy/projects"
import type { Calls, HistoryListQuery } from "./calls.ts"
import { makeCalls } from "./makeCalls.ts"
import type { Execution, SwapQuote, SwapRequest, Transaction, Wallet } from "./openapi.ts"
import { type CallOptions, callerOf } from "./requests.ts"
import type { Run } from "./session.ts"
import type { Signable } from "./signQuote.ts"
import { type WaitOptions, waitsOf } from "./waiting.ts"

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

/** Calls that combine several requests. The client of the HTTP API has the same calls. */
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
  /**
   * Waits until the transaction of an execution has ended, and returns it. Check its `status`. Another process may
   * execute it. A reorg of the chain can still undo it, which an event reports.
   */
  wait(execution: Pick<Execution, "transactionId">, options?: WaitOptions): Promise<Transaction>
}

/** Creates the calls of a project. Parameters and results are those of the client of the HTTP API. */
export type ProjectCalls = Calls & MoreCalls

export const projectCalls = (run: Run, project: ProjectId): ProjectCalls => {
  const calls = makeCalls(callerOf(run, project))
  const { history, limitOrders, swap, userOperations, wallets } = calls
  const waits = waitsOf(run, project)
  return {
    ...calls,
    swap: { ...swap, quote: async (body, options) => (await swap.quotes(body, options))[0]! },
    limitOrders: {
      ...limitOrders,
      list: (walletAddress, query, options) => history.list(walletAddress, { ...query, type: ["LIMIT_ORDER"] }, options)
    },
    userOperations: {
      ...userOperations,
      wait: async (hash, options) => history.get(await waits.userOperation(hash, options), options)
    },
    wallets: {
      ...wallets,
      registerBitcoin: async ({ signMessage, ...registration }, options) => {
        const { address } = registration
        const { message } = await wallets.bitcoinProofMessage({ address }, options)
        const proof = { message, signature: await signMessage(message) }
        return wallets.register({ ...registration, proof }, options)
      }
    },
    wait: async ({ transactionId }, options) => history.get(await waits.transaction(transactionId, options), options)
  }
}
