import { chainOf } from "@countersign/core/foundation/chains"
import { type HexBytes, maxBigInt } from "@countersign/core/foundation/primitives"
import type { SignedBy, Simulation, StateChanges, UserOperation } from "@countersign/core/operations/user-operations"
import { deploymentOf } from "../../../deployments/index.ts"
import { delegationDesignator } from "../../delegation.ts"
import { bytesFromHex } from "../../hex.ts"
import type { RpcClients } from "../../RpcClients.ts"
import { revertReasonWithoutData } from "../../revertReason.ts"
import { jsonRpcErrorIn } from "../../rpc/JsonRpcError.ts"
import type { CallFrame } from "./CallFrame.ts"
import { generousLimits, handleOpsData, MAX_CALL_GAS, type MeasuredGas, preVerificationGasOf } from "./gasLimits.ts"
import { l1DataGas } from "./l1DataFee.ts"
import { runOperation, type Simulator } from "./runOperation.ts"
import { type SimulationTerms, traceChangesParameters } from "./simulationRequest.ts"
import { estimateFrom, finalSimulation, measuredGas, unmeasuredSimulation } from "./simulationResult.ts"
import { type ExecutionResult, gasOf, type SimulationTrace } from "./simulationTrace.ts"
import { changesIn } from "./stateOverrides.ts"
import { validationRefusal } from "./validity.ts"

/** Whether the call gas limit or the verification gas limit is zero, which means that an estimate is requested. */
export const hasZeroLimits = (operation: UserOperation): boolean =>
  operation.callGasLimit === 0n || operation.verificationGasLimit === 0n

/**
 * Sets a gas price of one wei if it is zero. With zero the EntryPoint would skip the payment; with one wei it executes
 * the payment at almost no cost.
 */
const withNonzeroGasPrice = (operation: UserOperation): UserOperation =>
  operation.maxFeePerGas === 0n ? { ...operation, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n } : operation

const setLimits = (operation: UserOperation, limits: MeasuredGas, preVerificationGas: bigint): UserOperation => ({
  ...withNonzeroGasPrice(operation),
  callGasLimit: limits.call,
  verificationGasLimit: limits.verification,
  preVerificationGas,
  paymaster:
    operation.paymaster === null
      ? null
      : {
          ...operation.paymaster,
          verificationGasLimit: maxBigInt(limits.paymasterVerification, operation.paymaster.verificationGasLimit),
          postOpGasLimit: maxBigInt(limits.paymasterPostOp, operation.paymaster.postOpGasLimit)
        }
})

/** Error messages of geth, reth, Erigon, Nethermind and anvil. */
const FEE_TOO_LOW = /(?:max fee per gas|fee ?cap).*(?:less|lower) than.*base ?fee|gas price.*below.*base ?fee/iu

type Terms = Omit<SimulationTerms, "operator">

/** Traces at the operation's gas price, or without a gas price if the current base fee exceeds it. */
const traceAtItsPrice = async <A>(trace: (terms: Terms) => Promise<A>): Promise<A> => {
  const terms = { isPriced: true, ampleDeposit: false }
  try {
    return await trace(terms)
  } catch (thrown) {
    // Without a gas price the trace still shows the effects of the operation.
    if (!FEE_TOO_LOW.test(jsonRpcErrorIn(thrown)?.shortMessage ?? "")) throw thrown
    return trace({ ...terms, isPriced: false })
  }
}

/**
 * Simulates an operation on the latest block, as the operator would send it. An operation without limits gets generous
 * ones.
 */
export const simulateOperation = async (
  simulator: Simulator,
  operation: UserOperation,
  signature: HexBytes,
  signedBy: SignedBy,
  after?: StateChanges
): Promise<Simulation> => {
  const { chainId } = operation
  const { operator, rpc } = simulator
  const trace = (run: UserOperation, terms: Terms) =>
    runOperation(simulator, run, signature, { ...terms, operator, after })

  if (operation.authorization !== null && !deploymentOf(chainId).eip7702) {
    // The state override that sets the delegation would hide this problem.
    const reason = `${chainOf(chainId).name} does not support EIP-7702`
    return unmeasuredSimulation(operation, signature, revertReasonWithoutData(reason))
  }
  const preVerificationGas = preVerificationGasOf(operation, signature)
  const dataGasOf = async (run: UserOperation) =>
    l1DataGas(rpc.client(chainId), chainId, () => handleOpsData([{ operation: run, signature }]))

  if (!hasZeroLimits(operation)) {
    const traceAsSent = traceAtItsPrice((terms) => trace(operation, terms))
    const [simulationTrace, now, dataGas] = await Promise.all([
      traceAsSent,
      latestTimestamp(rpc, operation),
      dataGasOf(operation)
    ])
    const refusalOf = (result: ExecutionResult) => validationRefusal(result, now, signedBy)
    return finalSimulation(operation, simulationTrace, preVerificationGas + dataGas, refusalOf)
  }

  const terms = { isPriced: false, ampleDeposit: true }
  const firstOperation = setLimits(operation, generousLimits, preVerificationGas)
  const [firstTrace, dataGas] = await Promise.all([trace(firstOperation, terms), dataGasOf(firstOperation)])
  const totalPreVerificationGas = preVerificationGas + dataGas
  if (!areLimitsDistorted(firstTrace))
    return estimateFrom(operation, firstOperation, firstTrace, totalPreVerificationGas)
  // The first limits are a compromise. If they were too low for the calls or too high for the allowance, a second
  // simulation replaces the first one.
  const gasUse = measuredGas(firstOperation, firstTrace)
  const call = ranOutOfGas(firstTrace) ? MAX_CALL_GAS : (gasUse.call * 115n) / 100n
  const secondOperation = setLimits(operation, { ...generousLimits, call }, totalPreVerificationGas)
  const secondTrace = await trace(secondOperation, terms)
  return estimateFrom(operation, secondOperation, secondTrace, totalPreVerificationGas)
}

/** Returns the state changes of an operation with limits, including its delegation. */
export const changesOfOperation = async (
  { operator, rpc, simulations, supportedMethods }: Simulator,
  operation: UserOperation,
  signature: HexBytes
): Promise<StateChanges> => {
  const tracedChanges = await supportedMethods.callFirstSupported(operation.chainId, {
    TRACE: () =>
      traceAtItsPrice((terms) =>
        rpc.request(
          operation.chainId,
          "debug_traceCall",
          traceChangesParameters(operation, signature, simulations, { ...terms, operator })
        )
      )
  })
  const changes = changesIn(tracedChanges)
  const { authorization, sender } = operation
  if (authorization === null) return changes
  const code = bytesFromHex(delegationDesignator(authorization.address))
  return { ...changes, [sender]: { storage: {}, ...changes[sender], code } }
}

/**
 * Whether the calls ran out of gas: they failed and used more than three quarters of the limit. They never use the
 * entire limit, because every nested call retains 1/64 of the gas, and the creation of a pool is twelve calls deep in a
 * Safe.
 */
const ranOutOfGas = ({ execution }: SimulationTrace): boolean =>
  execution?.error !== undefined && gasOf(execution) > (generousLimits.call * 3n) / 4n

/**
 * Above this number of calls a second simulation with more gas is not attempted: no useful operation makes more calls
 * within the first limit, and more gas would only lengthen the trace.
 */
const CALLS_MAX = 4_000

const callsIn = ({ calls = [] }: CallFrame): number =>
  calls.reduce((count, call) => count + callsIn(call), calls.length)

const areLimitsDistorted = (trace: SimulationTrace): boolean =>
  (ranOutOfGas(trace) && callsIn(trace.top) <= CALLS_MAX) ||
  (trace.postOp?.error !== undefined && trace.execution?.error === undefined)

const latestTimestamp = async (rpc: RpcClients["Service"], { chainId }: UserOperation): Promise<bigint> =>
  (await rpc.client(chainId).getBlock({ blockTag: "latest" })).timestamp
