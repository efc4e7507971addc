import type { HexBytes } from "@countersign/core/foundation/primitives"
import type { UserOperation } from "@countersign/core/operations/user-operations"
import { decodeFunctionResult, type Hex, numberToHex } from "viem"
import { HostFailure } from "../../../../outbound/json-api/index.ts"
import { entryPointSimulationsAbi } from "../../abi/entryPoint.ts"
import type { RpcClients } from "../../RpcClients.ts"
import { JsonRpcError, revertDataOf } from "../../rpc/JsonRpcError.ts"
import type { CallFrame } from "./CallFrame.ts"
import { type EntryPointSimulations, type SimulationTerms, simulationCall } from "./simulationRequest.ts"
import { callsGas, type SimulationTrace } from "./simulationTrace.ts"

type Outcome = { readonly output: Hex; readonly error?: string }

const outcomeOf = async (response: Promise<Hex>): Promise<Outcome> => {
  try {
    return { output: await response }
  } catch (thrown) {
    const data = thrown instanceof JsonRpcError ? revertDataOf(thrown) : null
    if (data === null) throw thrown
    return { output: data as Hex, error: "execution reverted" }
  }
}

const resultIn = (output: Hex) =>
  decodeFunctionResult({ abi: entryPointSimulationsAbi, functionName: "simulateHandleOp", data: output })

const callFrame = (from: Hex, to: Hex, outcome: Outcome, gas = 0n): CallFrame => ({
  type: "CALL",
  from,
  to,
  gasUsed: numberToHex(gas),
  input: "0x",
  ...outcome
})

/**
 * Simulates an operation on a node that supports only `eth_call`. Each call returns one result: the validation, the
 * gas, or the outcome of the calls. All calls are sent concurrently in one request.
 */
export const callOperation = async (
  rpc: RpcClients["Service"],
  simulations: EntryPointSimulations,
  operation: UserOperation,
  signature: HexBytes,
  terms: SimulationTerms
): Promise<SimulationTrace> => {
  const { callData, callGasLimit, chainId, entryPoint, maxFeePerGas, sender } = operation
  const unpricedTerms = { ...terms, isPriced: false }
  const call = (transaction: object, overrides: object) =>
    outcomeOf(rpc.request(chainId, "eth_call", [transaction, "latest", overrides]))
  const simulate = (run: UserOperation, target?: { readonly to: Hex; readonly data: Hex }) => {
    const { overrides, transaction } = simulationCall(run, signature, simulations, unpricedTerms, target)
    return call(transaction, overrides)
  }
  const { overrides } = simulationCall(operation, signature, simulations, unpricedTerms)
  const [validationOutcome, chargeOutcome, executionOutcome] = await Promise.all([
    simulate(operation),
    // If both fees are equal, the price does not depend on the assumed base fee.
    simulate({ ...operation, maxPriorityFeePerGas: maxFeePerGas }),
    operation.factory === null
      ? call({ from: entryPoint, to: sender, data: callData, gas: numberToHex(callGasLimit) }, overrides)
      : simulate({ ...operation, callData: "0x" as HexBytes }, { to: sender, data: callData })
  ])
  const top = callFrame(terms.operator ?? sender, entryPoint, validationOutcome)
  const emptyTrace = {
    view: "RESULT",
    top,
    paymasterValidation: undefined,
    inner: undefined,
    postOp: undefined
  } as const
  const failedResult = [validationOutcome, chargeOutcome].find(({ error }) => error !== undefined)
  if (failedResult !== undefined) {
    return { ...emptyTrace, top: { ...top, ...failedResult }, result: null, execution: undefined }
  }
  const { paid } = resultIn(chargeOutcome.output)
  const result = {
    ...resultIn(validationOutcome.output),
    actualGasUsed: maxFeePerGas === 0n ? 0n : paid / maxFeePerGas
  }
  return {
    ...emptyTrace,
    result,
    execution: callFrame(entryPoint, sender, executionOf(operation, executionOutcome), callsGas(operation, result))
  }
}

/** Builds the outcome of the calls, for an account that exists or is created in the same call. */
const executionOf = ({ factory }: UserOperation, executionOutcome: Outcome): Outcome => {
  if (factory === null) return executionOutcome
  if (executionOutcome.error !== undefined) {
    throw new HostFailure("eth_call can't simulate the first operation of an account of this type")
  }
  const { targetResult, targetSuccess } = resultIn(executionOutcome.output)
  return targetSuccess ? { output: targetResult } : { output: targetResult, error: "execution reverted" }
}
