import type { EvmChainId } from "@countersign/core/chains"
import {
  type Hex,
  keccak256,
  type PrivateKeyAccount,
  type PublicClient,
  type SignedAuthorizationList,
  type TransactionSerializable
} from "viem"
import { jsonRpcErrorIn } from "../rpc/JsonRpcError.ts"

/** A transaction of the operator, without the nonce. */
export interface OperatorTransaction {
  readonly to: Hex
  readonly data: Hex
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** EIP-7702; empty for an ordinary transaction. */
  readonly authorizationList: SignedAuthorizationList
  readonly sighting: Sighting
}

/** How many transactions of the operator's a node knew of, and how many this process had sent before it was asked. */
export interface Sighting {
  readonly transactionCount: number
  readonly afterSends: number
}

interface Lane {
  /** The nonce of the next transaction; null when the chain must be asked. */
  next: number | null
  /** Transactions sent so far. */
  sends: number
  /** The end of the queue: sending is one at a time, so that no nonce is left out. */
  tail: Promise<unknown>
}

/** In the words of geth, reth, Erigon, Nethermind and anvil. */
const NONCE_TAKEN = /nonce (?:is )?too low|replacement transaction underpriced|already known|already imported/iu

/** Several processes may send with one key. When a nonce is taken, a process asks the chain for the next one. */
const ATTEMPTS = 5

/** The operator's externally owned account: signs and sends, one transaction after the other on each chain. */
export class OperatorAccount {
  readonly #account: PrivateKeyAccount
  readonly #lanes = new Map<EvmChainId, Lane>()

  constructor(account: PrivateKeyAccount) {
    this.#account = account
  }

  get address(): Hex {
    return this.#account.address
  }

  /** Read this shortly before a transaction is sent, together with the other requests for it. */
  async sighting(chainId: EvmChainId, client: PublicClient): Promise<Sighting> {
    const afterSends = this.#laneOf(chainId).sends
    const transactionCount = await client.getTransactionCount({ address: this.address, blockTag: "pending" })
    return { transactionCount, afterSends }
  }

  /** The transaction's hash, once the node has accepted it. */
  send(chainId: EvmChainId, client: PublicClient, transaction: OperatorTransaction): Promise<Hex> {
    const lane = this.#laneOf(chainId)
    const sending = lane.tail.then(() => this.#sendInTurn(chainId, lane, client, transaction))
    lane.tail = sending.catch(() => undefined)
    return sending
  }

  #laneOf(chainId: EvmChainId): Lane {
    const existingLane = this.#lanes.get(chainId)
    if (existingLane !== undefined) return existingLane
    const lane: Lane = { next: null, sends: 0, tail: Promise.resolve() }
    this.#lanes.set(chainId, lane)
    return lane
  }

  async #sendInTurn(
    chainId: EvmChainId,
    lane: Lane,
    client: PublicClient,
    transaction: OperatorTransaction
  ): Promise<Hex> {
    // What was sent is gone, as after a reorganisation: going on from it would leave out its nonces for good.
    const { afterSends, transactionCount } = transaction.sighting
    if (afterSends === lane.sends && transactionCount < (lane.next ?? 0)) lane.next = null
    try {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const hash = await this.#sendNext(chainId, lane, client, transaction)
        if (hash !== null) return hash
      }
      throw new Error("other processes send with the operator's key, faster than this one")
    } catch (thrown) {
      lane.next = null
      throw thrown
    }
  }

  /** The transaction's hash, or null when its nonce is taken by another transaction. */
  async #sendNext(
    chainId: EvmChainId,
    lane: Lane,
    client: PublicClient,
    transaction: OperatorTransaction
  ): Promise<Hex | null> {
    const { address } = this.#account
    const nonce = lane.next ?? (await client.getTransactionCount({ address, blockTag: "pending" }))
    const signedTransaction = await this.#account.signTransaction(serializable(chainId, nonce, transaction))
    const hash = keccak256(signedTransaction)
    try {
      await client.request({ method: "eth_sendRawTransaction", params: [signedTransaction] })
    } catch (thrown) {
      if (!NONCE_TAKEN.test(jsonRpcErrorIn(thrown)?.shortMessage ?? "")) throw thrown
      // An attempt whose answer was lost may have arrived: then the nonce is taken by this very transaction.
      const earlierTransaction = await client.request({ method: "eth_getTransactionByHash", params: [hash] })
      if (earlierTransaction === null) {
        lane.next = null
        return null
      }
    }
    lane.next = nonce + 1
    lane.sends += 1
    return hash
  }
}

const serializable = (
  chainId: EvmChainId,
  nonce: number,
  { authorizationList, sighting: _, ...transaction }: OperatorTransaction
): TransactionSerializable =>
  authorizationList.length === 0
    ? { ...transaction, type: "eip1559", chainId, nonce }
    : { ...transaction, type: "eip7702", chainId, nonce, authorizationList }
