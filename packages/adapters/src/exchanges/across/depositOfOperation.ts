import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address, Hash32 } from "@countersign/core/foundation/primitives"
import { type LogAnswer, type RpcClients, USER_OPERATION_EVENT } from "../../chains/evm/index.ts"
import { HostFailure } from "../../outbound/json-api/index.ts"
import { type Deposit, depositInLog, narrow } from "./deposits.ts"

/**
 * The logs of one operation in its transaction: the logs after the event of the previous operation. One wallet may have
 * two deposits in a transaction that only differ in their ids.
 */
export const logsOfOperation = (logs: ReadonlyArray<LogAnswer>, operation: Hash32): ReadonlyArray<LogAnswer> => {
  const end = logs.findIndex(({ topics }) => topics[0] === USER_OPERATION_EVENT && topics[1] === operation)
  if (end < 0) return []
  const previousLogs = logs.slice(0, end)
  return previousLogs.slice(previousLogs.findLastIndex(({ topics }) => topics[0] === USER_OPERATION_EVENT) + 1)
}

/** The transaction with an operation's deposit. */
export interface DepositPlace {
  readonly chainId: EvmChainId
  readonly spokePool: Address
  readonly transactionHash: Hash32
  readonly operation: Hash32
  readonly depositor: Address
}

/** The deposit of an included operation; null if the operation has none. */
export const depositOfOperation = async (
  rpc: RpcClients["Service"],
  { chainId, depositor, operation, spokePool, transactionHash }: DepositPlace
): Promise<Deposit | null> => {
  const receipt = await rpc.request(chainId, "eth_getTransactionReceipt", [transactionHash])
  if (receipt === null) throw new HostFailure("it does not have the receipt of an included operation")
  const deposits = logsOfOperation(receipt.logs, operation).flatMap((log) => {
    const deposit = depositInLog(chainId, spokePool, log)
    return deposit !== null && narrow(deposit.relay.depositor) === depositor ? [deposit] : []
  })
  return deposits[0] ?? null
}
