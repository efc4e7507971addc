import type { Address, HexBytes } from "@countersign/core/foundation/primitives"
import type { StateChanges, UserOperation } from "@countersign/core/operations/user-operations"
import type { EntryPointVersion } from "@countersign/core/wallets/registry"
import { type Hex, keccak256, numberToHex } from "viem"
import { entryPointSimulationsAbi } from "../../abi/entryPoint.ts"
import { delegationDesignator } from "../../delegation.ts"
import { encoderOf } from "../../encoderOf.ts"
import { packUserOperation } from "../../user-operation/packing.ts"
import { encodeWords } from "../../words.ts"
import { mergeOverrides, overridesOf } from "./stateOverrides.ts"

/**
 * Deployed code of `EntryPointSimulations` for each EntryPoint version (@account-abstraction/contracts 0.7.0 and
 * 0.8.0).
 */
export type EntryPointSimulations = Readonly<Record<EntryPointVersion, Hex>>

/** Gas limit of a simulation: sufficient for all limits of an operation, and below EIP-7825's transaction limit. */
const SIMULATION_GAS = 16_700_000n

/** 2^96 wei: covers any prefund and any gas fee of a simulation. */
const AMPLE_NATIVE_BALANCE = 2n ** 96n

/**
 * Computes the slot of `StakeManager.deposits[account].deposit`. The mapping is in the EntryPoint's first slot, and the
 * amount is its first field.
 */
const depositSlot = (account: Address): Hex => keccak256(encodeWords(account, 0n))

const simulationsData = encoderOf(entryPointSimulationsAbi)

/** The conditions of a simulation. */
export interface SimulationTerms {
  /** Sender of the transaction, which contracts can read; null if unknown. */
  readonly operator: Hex | null
  /**
   * Whether the transaction uses the operation's gas price, which contracts can read. Ignored if `operator` is null.
   */
  readonly isPriced: boolean
  /**
   * Gives the account, or its paymaster, a large deposit, so that the large limits of an estimate do not require a
   * prefund that the final limits will not require.
   */
  readonly ampleDeposit: boolean
  /** State changes of a previous operation, which the simulation starts from. */
  readonly after?: StateChanges | undefined
}

const callTracer = { tracer: "callTracer", tracerConfig: { withLog: true } } as const
/** Geth's tracer for state changes: the state of each account before and after the simulation. */
const changesTracer = { tracer: "prestateTracer", tracerConfig: { diffMode: true } } as const

const priceOf = ({ maxFeePerGas, maxPriorityFeePerGas }: UserOperation) => ({
  maxFeePerGas: numberToHex(maxFeePerGas),
  maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas)
})

const stateOverridesFor = (
  operation: UserOperation,
  simulations: EntryPointSimulations,
  { after = {}, ampleDeposit, operator }: SimulationTerms
) => {
  const { authorization, sender } = operation
  const depositOf = (payer: Address) => ({ [depositSlot(payer)]: numberToHex(AMPLE_NATIVE_BALANCE, { size: 32 }) })
  return mergeOverrides(overridesOf(after), {
    [operation.entryPoint]: {
      code: simulations[operation.entryPointVersion],
      ...(ampleDeposit ? { stateDiff: depositOf(operation.paymaster?.address ?? sender) } : {})
    },
    ...(operator === null ? {} : { [operator.toLowerCase()]: { balance: numberToHex(AMPLE_NATIVE_BALANCE) } }),
    ...(authorization === null ? {} : { [sender]: { code: delegationDesignator(authorization.address) } })
  })
}

/** A call that the EntryPoint makes after the operation. `simulateHandleOp` returns its result. */
export interface Target {
  readonly to: Hex
  readonly data: Hex
}

const NO_TARGET: Target = { to: "0x0000000000000000000000000000000000000000", data: "0x" }

/** Builds the transaction that simulates an operation, and its state overrides. */
export const simulationCall = (
  operation: UserOperation,
  signature: HexBytes,
  simulations: EntryPointSimulations,
  terms: SimulationTerms,
  target = NO_TARGET
) => {
  const { isPriced, operator } = terms
  return {
    transaction: {
      ...(operator === null ? {} : { from: operator }),
      ...(operator !== null && isPriced ? priceOf(operation) : {}),
      to: operation.entryPoint,
      gas: numberToHex(SIMULATION_GAS),
      data: simulationsData("simulateHandleOp", [packUserOperation(operation, signature), target.to, target.data])
    },
    overrides: stateOverridesFor(operation, simulations, terms)
  }
}

const parametersWith =
  <const T extends typeof callTracer | typeof changesTracer>(tracer: T) =>
  (...run: Parameters<typeof simulationCall>): readonly [unknown, unknown, T] => {
    const { overrides, transaction } = simulationCall(...run)
    return [transaction, "latest", { ...tracer, stateOverrides: overrides }]
  }

/**
 * Builds the parameters of the single `debug_traceCall` that simulates an operation. `EntryPointSimulations` replaces
 * the EntryPoint's code and not its storage, so `simulateHandleOp` uses the real deposits and nonces, unless the terms
 * override a deposit.
 */
export const traceCallParameters = parametersWith(callTracer)

/** Builds the parameters of the same simulation for the tracer of state changes. */
export const traceChangesParameters = parametersWith(changesTracer)
