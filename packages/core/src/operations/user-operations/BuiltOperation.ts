import type { Effect } from "effect"
import type { Address, Hash32 } from "../../foundation/primitives/index.ts"
import type { SignData } from "../../foundation/signing/index.ts"
import type { Call } from "./Call.ts"
import type { PaymasterTerms } from "./Paymaster.ts"
import type { GasLimits, Simulation } from "./Simulation.ts"
import type { UserOperation } from "./UserOperation.ts"

/** The terms of a gas payment in a token. Null if gas is paid in the native token. */
export type GasTerms = PaymasterTerms | null

export interface BuildRequest<P, E> {
  readonly expiresAtSeconds: number
  /** Upper estimate of the operation's gas, for the first plan. The quote uses the gas of the final simulation. */
  readonly provisionalLimits: GasLimits
  /** Additional gas that the calls may need in a block after the simulated one. */
  readonly laterCallGas?: bigint
  /**
   * Returns the plan for a maximum gas fee in base units of the gas token. `waitSeconds` is the additional delay if
   * another operation precedes the calls.
   */
  readonly plan: (maxGasFee: bigint, waitSeconds: number) => Effect.Effect<P, E>
  /** Calls that must take effect on-chain before the plan's calls. They are in a separate operation. */
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
  /** Maximum unpaid gas in wei: the maximum cost if the paymaster charges only after the calls, otherwise 0. */
  readonly unpaidWei: bigint
  /**
   * Whether the operation itself grants the allowance for its gas. If the calls revert, the allowance is reverted as
   * well.
   */
  readonly isFirstUse: boolean
}

/** An operation that is ready to be signed. */
export interface SignableOperation {
  readonly operation: UserOperation
  readonly hash: Hash32
  readonly signData: ReadonlyArray<SignData>
  readonly gas: OperationGas
}

/** The operation that makes the calls of the plan. */
export interface BuiltOperation<P> extends SignableOperation {
  /**
   * The preceding operation, which grants the paymaster's allowance and makes the calls of `before`. Null if it is not
   * needed.
   */
  readonly first: SignableOperation | null
  /** The gas of both operations. */
  readonly totalGas: OperationGas
  readonly simulation: Simulation
  readonly plan: P
  /** All calls of both operations in order, including the approval for the paymaster. */
  readonly calls: ReadonlyArray<Call>
}
