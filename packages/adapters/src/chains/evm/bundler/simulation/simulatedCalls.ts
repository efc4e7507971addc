import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import { NATIVE_COIN } from "@countersign/core/foundation/primitives"
import { type Hex, numberToHex, slice } from "viem"
import { addressFromHex } from "../../hex.ts"
import { headAgeMs, type RpcClients } from "../../RpcClients.ts"
import { HostFailure } from "../../rpc/host/HostFailure.ts"
import type { SimulatedCall, TracedLog } from "../../rpc/nodeAnswers.ts"

/** Calls one after the other in the block after the latest, with logs for coin that moves too. */
export interface CallsToSimulate {
  readonly calls: ReadonlyArray<object>
  readonly overrides: object
  /** Whether the transactions are held to what they offer for gas, and contracts see the base fee. */
  readonly isPriced: boolean
}

/** `eth_simulateV1`. What the block is like is said, because nodes differ in what they take it to be. */
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
  const [simulated] = await rpc.request(chainId, "eth_simulateV1", parameters)
  if (simulated?.calls.length !== calls.length) throw new HostFailure("it did not simulate every call")
  return simulated.calls
}

const isGas = (entryPoint: string, { topics }: TracedLog): boolean =>
  topics.slice(1, 3).some((topic) => addressFromHex(slice(topic, 12)) === entryPoint)

/** The logs without those that stand for coin which the EntryPoint takes and pays: that is gas, and no transfer. */
export const logsWithoutGas = (logs: ReadonlyArray<TracedLog>, entryPoint: string): ReadonlyArray<TracedLog> =>
  logs.filter((log) => log.address.toLowerCase() !== NATIVE_COIN || !isGas(entryPoint, log))

/** A call as the frame that a trace would have of it, with all its logs and none of the calls inside. */
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
