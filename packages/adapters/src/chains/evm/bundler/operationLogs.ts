import type { Address } from "@countersign/core/foundation/primitives"
import { type Hex, numberToHex } from "viem"
import type { LogResponse } from "../rpc/nodeResponses.ts"
import type { Witness } from "../rpc/Witnesses.ts"
import { USER_OPERATION_EVENT } from "./simulation/simulationTrace.ts"

/** Maximum number of blocks in one request for logs. Hosted nodes reject more than 2,000 to 10,000 blocks. */
export const LOG_PIECE_BLOCKS = 1_000n

export interface OperationFilter {
  readonly fromBlock: bigint
  readonly toBlock: Hex | "latest"
  /** Number of a recent block. If `toBlock` is "latest", the range is split up to this block. */
  readonly head: bigint
  /** Topics after the event's topic: hashes of operations, then senders; null matches any. */
  readonly topics: ReadonlyArray<ReadonlyArray<string> | string | null>
}

/** Splits a range of blocks into pieces, oldest first. */
const piecesOf = ({ fromBlock, head, toBlock }: OperationFilter) => {
  const lastBlock = toBlock === "latest" ? head : BigInt(toBlock)
  const starts = [fromBlock]
  for (let start = fromBlock + LOG_PIECE_BLOCKS; start <= lastBlock; start += LOG_PIECE_BLOCKS) starts.push(start)
  return starts.map((start, index) => {
    const nextStart = starts[index + 1]
    return { fromBlock: numberToHex(start), toBlock: nextStart === undefined ? toBlock : numberToHex(nextStart - 1n) }
  })
}

/**
 * Reads the EntryPoint's `UserOperationEvent` logs. Ignores other logs in the response. If the filter has hashes of
 * operations, stops once it has found all of them. Before each piece of the range, it calls `onPiece` with the first
 * block of the piece and the hashes that it has not found.
 */
export const operationLogs = async (
  request: Witness["request"],
  entryPoint: Address,
  filter: OperationFilter,
  onPiece: (fromBlock: bigint, missingHashes: ReadonlySet<string> | null) => void = () => undefined
): Promise<ReadonlyArray<LogResponse>> => {
  const [hashes] = filter.topics
  const missingHashes = Array.isArray(hashes) ? new Set<string>(hashes) : null
  const foundLogs: Array<LogResponse> = []
  for (const piece of piecesOf(filter)) {
    onPiece(BigInt(piece.fromBlock), missingHashes)
    const topics = [USER_OPERATION_EVENT, ...filter.topics]
    const logs = await request("eth_getLogs", [{ address: entryPoint, topics, ...piece }])
    for (const log of logs) {
      if (log.topics[0] !== USER_OPERATION_EVENT || log.topics[1] === undefined) continue
      foundLogs.push(log)
      missingHashes?.delete(log.topics[1].toLowerCase())
    }
    if (missingHashes?.size === 0) break
  }
  return foundLogs
}
