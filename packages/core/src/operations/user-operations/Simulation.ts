import { Schema } from "effect"
import { Address, type Hash32, type HexBytes } from "../../foundation/primitives/index.ts"
import type { RevertReason } from "./UserOperation.ts"

/** A token movement in base units. `NATIVE_TOKEN` is the native token. */
export const TokenTransfer = Schema.Struct({ token: Address, from: Address, to: Address, amount: Schema.BigInt })
export type TokenTransfer = typeof TokenTransfer.Type

/** A newly minted NFT. */
export interface MintedNft {
  readonly contract: Address
  readonly tokenId: bigint
}

/**
 * A change of a spender's allowance for one of the account's tokens, in base units. GIVEN: `amount` is the new
 * allowance. USED: `amount` was spent from the allowance.
 */
export interface AllowanceChange {
  readonly type: "GIVEN" | "USED"
  readonly token: Address
  readonly spender: Address
  readonly amount: bigint
}

export interface GasLimits {
  readonly callGasLimit: bigint
  readonly verificationGasLimit: bigint
  readonly preVerificationGas: bigint
  /** Zero if there is no paymaster. */
  readonly paymasterVerificationGasLimit: bigint
  readonly paymasterPostOpGasLimit: bigint
}

/** The result of simulating an operation on the latest block. */
export interface Simulation {
  /**
   * The used gas plus a margin, independent of the limits in the input. If the operation reverted early, upper
   * estimates for the account type.
   */
  readonly limits: GasLimits
  /**
   * Gas that the EntryPoint would charge, including `preVerificationGas` and the penalty for unused call gas. The sum
   * of the gas limits if no node can simulate; zero if the final simulation has no result.
   */
  readonly gasUsed: bigint
  /** The paymaster's charge in its token, in base units. Null if the simulation can't show it. */
  readonly tokenPaid: bigint | null
  /** Null if the operation would succeed. */
  readonly revert: RevertReason | null
  /**
   * Unix seconds of the latest block time at which the account and its paymaster accept the operation. Null if they set
   * no limit, or if the simulation can't show it.
   */
  readonly validUntil: number | null
  /** In execution order. Empty if the operation reverted. */
  readonly transfers: ReadonlyArray<TokenTransfer>
  /** Changes of allowances for the account's tokens, in execution order. Empty if the operation reverted. */
  readonly allowanceChanges: ReadonlyArray<AllowanceChange>
  /** The effects that the chain's nodes can't show in a simulation, as a sentence. Null if they show all effects. */
  readonly notSeen: string | null
}

/** State changes of one account in a simulation. Absent fields are unchanged. */
export interface AccountChanges {
  /** The new balance in wei. */
  readonly balance?: bigint
  readonly nonce?: bigint
  readonly code?: HexBytes
  /** Changed storage slots with their new values. */
  readonly storage: Readonly<Record<Hash32, Hash32>>
}

/** The state changes that a simulated operation causes, on which the next operation is simulated. */
export type StateChanges = Readonly<Record<Address, AccountChanges>>
