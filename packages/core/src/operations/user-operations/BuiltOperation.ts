import type { Effect } from "effect"
import type { Address, Hash32 } from "../../foundation/primitives/index.ts"
import type { SignData } from "../../foundation/signing/index.ts"
import type { Call } from "./Call.ts"
import type { PaymasterTerms } from "./Paymaster.ts"
import type { GasLimits, Simulation } from "./Simulation.ts"
import type { UserOperation } from "./UserOperation.ts"

/** The terms of a gas payment in a token; null if gas is paid in the native token. */
export type GasTerms = PaymasterTerms | null

export interface BuildRequest<P, E> {
  readonly expiresAtSeconds: number
  /**
   * A generous estimate of the gas that such an operation needs. The first plan uses it if no similar operation was built before. The
   * quote uses the simulation of the final operation.
   */
  readonly provisionalLimits: GasLimits
  /** Gas that the calls may use in a later block in addition to the gas in the simulated block. */
  readonly laterCallGas?: bigint
  /**
   * The calls, for a maximum gas fee in base units of the gas token. `waitSeconds` is how much later the calls may run because another
   * operation precedes theirs.
   */
  readonly plan: (maxGasFee: bigint, waitSeconds: number) => Effect.Effect<P, E>
  /** Calls that must take effect on chain before those of the plan. They are a separate operation. */
  readonly before?: ReadonlyArray<Call>
}

/** The cost of gas. */
export interface OperationGas {
  readonly token: Address
  /** The maximum cost, in wei and in base units of the gas token. */
  readonly maxWei: bigint
  readonly maxToken: bigint
  /** The cost in the simulation, in base units of the gas token. */
  readonly expectedToken: bigint
  /** The maximum unpaid gas, in wei: all of it if the paymaster is paid only after the calls, otherwise 0. */
  readonly unpaidWei: bigint
  /** Whether the operation itself grants the allowance from which gas is paid. Calls that revert also revert the allowance. */
  readonly isFirstUse: boolean
}

/** An operation that can be signed. */
export interface SignableOperation {
  readonly operation: UserOperation
  readonly hash: Hash32
  readonly signData: ReadonlyArray<SignData>
  readonly gas: OperationGas
}

/** The operation that makes the calls of the plan. */
export interface BuiltOperation<P> extends SignableOperation {
  /** The preceding operation, which grants the paymaster's allowance and makes the calls of `before`; null if none is needed. */
  readonly first: SignableOperation | null
  /** The gas of both operations. */
  readonly totalGas: OperationGas
  readonly simulation: Simulation
  readonly plan: P
  /** All calls of both operations in order, including the paymaster's allowance. */
  readonly calls: ReadonlyArray<Call>
}
