import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address, Hash32 } from "@countersign/core/foundation/primitives"
import { type LogResponse, type RpcClients, USER_OPERATION_EVENT } from "../../chains/evm/index.ts"
import { HostFailure } from "../../outbound/json-api/index.ts"
import { type Deposit, depositInLog, wordToAddress } from "./deposits.ts"

/**
 * Returns the logs of one operation within its transaction: those after the event of the previous operation. This
 * distinguishes two deposits of one wallet in the same transaction that differ only in their ids.
 */
export const logsOfOperation = (logs: ReadonlyArray<LogResponse>, operation: Hash32): ReadonlyArray<LogResponse> => {
  const end = logs.findIndex(({ topics }) => topics[0] === USER_OPERATION_EVENT && topics[1] === operation)
  if (end < 0) return []
  const previousLogs = logs.slice(0, end)
  return previousLogs.slice(previousLogs.findLastIndex(({ topics }) => topics[0] === USER_OPERATION_EVENT) + 1)
}

/** Identifies the transaction that contains the deposit of an operation. */
export interface DepositLocation {
  readonly chainId: EvmChainId
  readonly spokePool: Address
  readonly transactionHash: Hash32
  readonly operation: Hash32
  readonly depositor: Address
}

/** Finds the deposit of an included operation; null if the operation made none. */
export const depositOfOperation = async (
  rpc: RpcClients["Service"],
  { chainId, depositor, operation, spokePool, transactionHash }: DepositLocation
): Promise<Deposit | null> => {
  const receipt = await rpc.request(chainId, "eth_getTransactionReceipt", [transactionHash])
  if (receipt === null) throw new HostFailure("it does not have the receipt of an included operation")
  const deposits = logsOfOperation(receipt.logs, operation).flatMap((log) => {
    const deposit = depositInLog(chainId, spokePool, log)
    return deposit !== null && wordToAddress(deposit.relay.depositor) === depositor ? [deposit] : []
  })
  return deposits[0] ?? null
}
