import type { Effect } from "effect"
import type { Address, Hash32 } from "../../foundation/primitives/index.ts"
import type { SignData } from "../../foundation/signing/index.ts"
import type { Call } from "./Call.ts"
import type { PaymasterTerms } from "./Paymaster.ts"
import type { GasLimits, Simulation } from "./Simulation.ts"
import type { UserOperation } from "./UserOperation.ts"

/** On which terms gas is paid with a token; null where it is paid in the chain's coin. */
export type GasTerms = PaymasterTerms | null

export interface BuildRequest<P, E> {
  readonly expiresAtSeconds: number
  /**
   * The gas that such an operation needs, generously: what it is first planned with, where no operation like it was made
   * before. The figures of the quote come from the simulation of the operation as it is.
   */
  readonly provisionalLimits: GasLimits
  /** Gas that the calls take in a later block, and may not have taken in the one that they were run on. */
  readonly laterCallGas?: bigint
  /**
   * The calls, for the most that gas can take in base units of the token that pays. `waitSeconds`: how much later than
   * others they may run, because an operation goes before theirs.
   */
  readonly plan: (maxGasFee: bigint, waitSeconds: number) => Effect.Effect<P, E>
  /** Calls whose effect must be on chain before those of the plan: they are an operation of their own. */
  readonly before?: ReadonlyArray<Call>
}

/** The cost of gas. */
export interface OperationGas {
  readonly token: Address
  /** The most that it can cost, in wei and in base units of the token that pays. */
  readonly maxWei: bigint
  readonly maxToken: bigint
  /** Its cost in the simulation, in base units of the token that pays. */
  readonly expectedToken: bigint
  /** The most of it that may stay unpaid, in wei: all where it is paid after the calls alone, else nothing. */
  readonly unpaidWei: bigint
  /** Whether the allowance from which it is paid is given by the operation itself: calls that revert take it back. */
  readonly isFirstUse: boolean
}

/** An operation that can be signed. */
export interface SignableOperation {
  readonly operation: UserOperation
  readonly hash: Hash32
  readonly signData: ReadonlyArray<SignData>
  readonly gas: OperationGas
}

/** The operation with the calls of the plan. */
export interface BuiltOperation<P> extends SignableOperation {
  /** The operation that goes before it: lets the paymaster take its fees, makes the calls of `before`; null where none is needed. */
  readonly first: SignableOperation | null
  /** Gas of both together. */
  readonly totalGas: OperationGas
  readonly simulation: Simulation
  readonly plan: P
  /** Every call of both in order, the paymaster's allowance included. */
  readonly calls: ReadonlyArray<Call>
}
