import type { HexBytes } from "@countersign/core/foundation/primitives"
import type { AllowanceChange, UserOperation } from "@countersign/core/operations/user-operations"
import { encodeFunctionData, erc20Abi, type Hex, hexToBigInt, numberToHex } from "viem"
import type { RpcClients } from "../../RpcClients.ts"
import type { SimulatedCall } from "../../rpc/nodeResponses.ts"
import { effectsInLogs } from "../ownPart.ts"
import { allowanceChangesInTrace } from "./allowanceChanges.ts"
import { callOperation } from "./calledOperation.ts"
import { innerFramesOf } from "./eventedOperations.ts"
import type { SupportedMethods } from "./SupportedMethods.ts"
import { frameOf, logsWithoutGas, simulateCalls } from "./simulatedCalls.ts"
import {
  type EntryPointSimulations,
  type SimulationTerms,
  simulationCall,
  traceCallParameters
} from "./simulationRequest.ts"
import { callsGas, readSimulationTrace, type SimulationTrace, USER_OPERATION_EVENT } from "./simulationTrace.ts"

/** The dependencies for simulating operations. */
export interface Simulator {
  readonly rpc: RpcClients["Service"]
  readonly supportedMethods: SupportedMethods
  readonly simulations: EntryPointSimulations
  /** Account that sends the bundle; null if unknown. */
  readonly operator: Hex | null
  /** Whether `eth_call`, which shows no effects, is sufficient. */
  readonly allowsEthCall: boolean
}

const ZERO_ADDRESS = "0x0000000000000000000000000000000000000000"

/** Reconstructs the trace of a simulation from its logs. */
const traceFromLogs = (operation: UserOperation, from: Hex, simulated: SimulatedCall): SimulationTrace => {
  const { entryPoint } = operation
  const logs = logsWithoutGas(simulated.logs, entryPoint)
  const [inner] = innerFramesOf(logs, entryPoint)
  const top = { ...frameOf({ ...simulated, logs }, entryPoint, from), calls: inner === undefined ? [] : [inner] }
  const trace = readSimulationTrace(operation, top)
  const event = logs.find(({ topics }) => topics[0] === USER_OPERATION_EVENT)
  const hash = event?.topics[1]?.toLowerCase()
  const gas = trace.result === null ? 0n : callsGas(operation, trace.result)
  return {
    ...trace,
    view: "LOGS",
    tokenPaid: hash === undefined ? null : (effectsInLogs(operation, hash as never, logs).tokenPayment?.amount ?? null),
    execution: trace.execution === undefined ? undefined : { ...trace.execution, gasUsed: numberToHex(gas) }
  }
}

/** Returns the last allowance change for each pair of token and spender. */
const allowanceChangesOf = (operation: UserOperation, { top }: SimulationTrace): ReadonlyArray<AllowanceChange> => [
  ...new Map(
    allowanceChangesInTrace(operation.sender, top).map((change) => [`${change.token} ${change.spender}`, change])
  ).values()
]

const simulateByLogs = async (
  { operator, rpc, simulations }: Simulator,
  operation: UserOperation,
  signature: HexBytes,
  terms: SimulationTerms
): Promise<SimulationTrace> => {
  const { chainId, sender } = operation
  const { overrides, transaction } = simulationCall(operation, signature, simulations, terms)
  const isPriced = terms.isPriced && operator !== null
  const simulate = (extraCalls: ReadonlyArray<object>) =>
    simulateCalls(rpc, chainId, { calls: [transaction, ...extraCalls], overrides, isPriced })
  const [first] = await simulate([])
  const trace = traceFromLogs(operation, operator ?? ZERO_ADDRESS, first!)
  const approvals =
    terms.ampleDeposit || trace.execution?.error !== undefined ? [] : allowanceChangesOf(operation, trace)
  if (approvals.length === 0) return { ...trace, allowances: [] }
  // Logs do not show how much of an allowance was used, so the remaining allowances are read at the end of the same
  // simulation.
  const [, ...allowanceResults] = await simulate(
    approvals.map(({ spender, token }) => ({
      ...transaction,
      to: token,
      gas: numberToHex(500_000),
      data: encodeFunctionData({ abi: erc20Abi, functionName: "allowance", args: [sender, spender] })
    }))
  )
  const allowances = approvals.map((approval, i) => {
    const response = allowanceResults[i]!.returnData
    return { ...approval, amount: response === "0x" ? approval.amount : hexToBigInt(response) }
  })
  return { ...trace, allowances }
}

/** Simulates an operation on the latest block with the most detailed method that the chain's nodes support. */
export const runOperation = (
  simulator: Simulator,
  operation: UserOperation,
  signature: HexBytes,
  terms: SimulationTerms
): Promise<SimulationTrace> => {
  const { rpc, simulations, allowsEthCall, supportedMethods } = simulator
  const trace = async () => {
    const parameters = traceCallParameters(operation, signature, simulations, terms)
    return readSimulationTrace(operation, await rpc.request(operation.chainId, "debug_traceCall", parameters))
  }
  return supportedMethods.callFirstSupported(operation.chainId, {
    TRACE: trace,
    SIMULATE: () => simulateByLogs(simulator, operation, signature, terms),
    ...(allowsEthCall ? { CALL: () => callOperation(rpc, simulations, operation, signature, terms) } : {})
  })
}
