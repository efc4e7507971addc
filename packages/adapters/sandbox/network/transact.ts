import { setTimeout as sleep } from "node:timers/promises"
import type { Hex } from "viem"
import type { LogResponse } from "../../src/chains/evm/index.ts"
import type { SandboxChain } from "./SandboxChain.ts"

const RECEIPT_MS = 20
/** In milliseconds. Long enough for a chain with manual mining. */
const INCLUSION_MS = 120_000

/** A transaction of an account that is unlocked in anvil. */
export interface SandboxTransaction {
  readonly from: string
  readonly to: string
  readonly value?: Hex
  readonly data?: string
  readonly gas?: Hex
}

export interface SandboxReceipt {
  readonly status: Hex
  readonly transactionHash: Hex
  readonly logs: ReadonlyArray<LogResponse>
}

/**
 * Sends a transaction and waits until it is included. Null if a reorg drops the transaction first.
 * `eth_sendTransactionSync` is not used, because it would wait half a minute for a dropped transaction and block other
 * senders.
 */
export const transact = async (
  chain: Pick<SandboxChain, "call">,
  transaction: SandboxTransaction
): Promise<SandboxReceipt | null> => {
  const hash = (await chain.call("eth_sendTransaction", transaction)) as Hex
  const receiptOrNull = async () => (await chain.call("eth_getTransactionReceipt", hash)) as SandboxReceipt | null
  for (let waitedMs = 0; waitedMs < INCLUSION_MS; waitedMs += RECEIPT_MS) {
    const receipt = await receiptOrNull()
    if (receipt !== null) return receipt
    // The transaction may have been included since the receipt was read.
    if ((await chain.call("eth_getTransactionByHash", hash)) === null) return receiptOrNull()
    await sleep(RECEIPT_MS)
  }
  throw new Error(`no block contains the transaction ${hash} after ${INCLUSION_MS} ms`)
}
