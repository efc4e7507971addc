import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import { NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { type Hex, numberToHex, slice } from "viem"
import { HostFailure } from "../../../../outbound/json-api/index.ts"
import { addressFromHex } from "../../hex.ts"
import { headAgeMs, type RpcClients } from "../../RpcClients.ts"
import type { SimulatedCall, TracedLog } from "../../rpc/nodeResponses.ts"

/** Consecutive calls to simulate in the block after the latest one. Native token transfers also emit logs. */
export interface CallsToSimulate {
  readonly calls: ReadonlyArray<object>
  readonly overrides: object
  /** Whether the transactions must cover the base fee. If so, contracts can read it. */
  readonly isPriced: boolean
}

/** Calls `eth_simulateV1` with explicit block fields, because nodes have different defaults. */
export const simulateCalls = async (
  rpc: RpcClients["Service"],
  chainId: EvmChainId,
  { calls, isPriced, overrides }: CallsToSimulate
): Promise<ReadonlyArray<SimulatedCall>> => {
  const { baseFeePerGas, number, timestamp } = await rpc.latestBlock(chainId, headAgeMs(chainId))
  const block = {
    number: numberToHex(number + 1n),
    time: numberToHex(timestamp + Math.ceil(chainOf(chainId).blockTimeMs / 1_000)),
    ...(baseFeePerGas === null ? {} : { baseFeePerGas: numberToHex(baseFeePerGas) })
  }
  const blockStateCalls = [{ blockOverrides: block, stateOverrides: overrides, calls }]
  const parameters = [{ blockStateCalls, traceTransfers: true, validation: isPriced }, "latest"] as const
  const [simulatedBlock] = await rpc.request(chainId, "eth_simulateV1", parameters)
  if (simulatedBlock?.calls.length !== calls.length) throw new HostFailure("it did not simulate every call")
  return simulatedBlock.calls
}

const isGas = (entryPoint: string, { topics }: TracedLog): boolean =>
  topics.slice(1, 3).some((topic) => addressFromHex(slice(topic, 12)) === entryPoint)

/** Returns the logs except native token payments to and from the EntryPoint, which are gas fees. */
export const logsWithoutGas = (logs: ReadonlyArray<TracedLog>, entryPoint: string): ReadonlyArray<TracedLog> =>
  logs.filter((log) => log.address.toLowerCase() !== NATIVE_TOKEN || !isGas(entryPoint, log))

/** Converts a simulated call to a trace frame with all its logs and without inner calls. */
export const frameOf = ({ error, gasUsed, logs, returnData, status }: SimulatedCall, to: Hex, from: Hex) => ({
  type: "CALL",
  from,
  to,
  gasUsed,
  input: "0x" as const,
  output: returnData,
  logs,
  ...(Number(status) === 1 ? {} : { error: error?.message ?? "execution reverted" })
})
