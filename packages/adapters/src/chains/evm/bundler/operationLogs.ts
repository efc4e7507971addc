import type { Address } from "@countersign/core/foundation/primitives"
import { type Hex, numberToHex } from "viem"
import type { LogAnswer } from "../rpc/nodeAnswers.ts"
import type { Witness } from "../rpc/Witnesses.ts"
import { USER_OPERATION_EVENT } from "./simulation/simulationTrace.ts"

export interface OperationFilter {
  readonly fromBlock: bigint
  readonly toBlock: Hex | "latest"
  /** After the event's topic: hashes of operations, then senders; null for any. */
  readonly topics: ReadonlyArray<ReadonlyArray<string> | string | null>
}

/** The EntryPoint's `UserOperationEvent`s. Other logs in the response are ignored. */
export const operationLogs = async (
  request: Witness["request"],
  entryPoint: Address,
  { fromBlock, toBlock, topics }: OperationFilter
): Promise<ReadonlyArray<LogAnswer>> => {
  const filter = {
    address: entryPoint,
    topics: [USER_OPERATION_EVENT, ...topics],
    fromBlock: numberToHex(fromBlock),
    toBlock
  }
  const logs = await request("eth_getLogs", [filter])
  return logs.filter(({ topics }) => topics[0] === USER_OPERATION_EVENT && topics[1] !== undefined)
}
