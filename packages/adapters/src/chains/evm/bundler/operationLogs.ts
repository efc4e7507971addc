import type { Address } from "@countersign/core/foundation/primitives"
import { type Hex, numberToHex } from "viem"
import type { LogResponse } from "../rpc/nodeResponses.ts"
import type { Witness } from "../rpc/Witnesses.ts"
import { USER_OPERATION_EVENT } from "./simulation/simulationTrace.ts"

export interface OperationFilter {
  readonly fromBlock: bigint
  readonly toBlock: Hex | "latest"
  /** Topics after the event's topic: hashes of operations, then senders; null matches any. */
  readonly topics: ReadonlyArray<ReadonlyArray<string> | string | null>
}

/** Reads the EntryPoint's `UserOperationEvent` logs. Ignores other logs in the response. */
export const operationLogs = async (
  request: Witness["request"],
  entryPoint: Address,
  { fromBlock, toBlock, topics }: OperationFilter
): Promise<ReadonlyArray<LogResponse>> => {
  const filter = {
    address: entryPoint,
    topics: [USER_OPERATION_EVENT, ...topics],
    fromBlock: numberToHex(fromBlock),
    toBlock
  }
  const logs = await request("eth_getLogs", [filter])
  return logs.filter(({ topics }) => topics[0] === USER_OPERATION_EVENT && topics[1] !== undefined)
}
