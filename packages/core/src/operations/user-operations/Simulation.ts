import { Schema } from "effect"
import { Address, type Hash32, type HexBytes } from "../../foundation/primitives/index.ts"
import type { RevertReason } from "./UserOperation.ts"

/** A movement of a token (`NATIVE_COIN` for the native token), in base units. */
export const TokenTransfer = Schema.Struct({ token: Address, from: Address, to: Address, amount: Schema.BigInt })
export type TokenTransfer = typeof TokenTransfer.Type

/** A newly minted NFT. */
export interface MintedNft {
  readonly contract: Address
  readonly tokenId: bigint
}

/**
 * A change of a spender's allowance of the account's token, in base units: GIVEN is the whole new allowance, USED the
 * amount spent from it.
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
  /** Zero without a paymaster. */
  readonly paymasterVerificationGasLimit: bigint
  readonly paymasterPostOpGasLimit: bigint
}

/** The result of simulating an operation on the latest block. */
export interface Simulation {
  /**
   * Limits with a margin over the used gas, not those of the input; if it reverted early, upper estimates for the
   * account kind.
   */
  readonly limits: GasLimits
  /** Gas used by the simulation, including preVerificationGas. */
  readonly gasUsed: bigint
  /** The paymaster's charge in its token, in base units; null if the simulation did not show it. */
  readonly tokenPaid: bigint | null
  /** Null if the operation would succeed. */
  readonly revert: RevertReason | null
  /**
   * Unix seconds of the last block time at which the account and its paymaster accept the operation; null if they set
   * none, or if the simulation did not show it.
   */
  readonly validUntil: number | null
  /** In order of execution. Empty if it reverted. */
  readonly transfers: ReadonlyArray<TokenTransfer>
  /** Allowance changes of the account's tokens, in order of execution. Empty if it reverted. */
  readonly allowanceChanges: ReadonlyArray<AllowanceChange>
  /** A sentence about what the chain's nodes cannot show of a simulation; null if they show everything. */
  readonly notSeen: string | null
}

/** The state changes of one account in a simulation. Absent fields are unchanged. */
export interface AccountChanges {
  /** Wei. */
  readonly balance?: bigint
  readonly nonce?: bigint
  readonly code?: HexBytes
  /** Changed storage slots with their new values. */
  readonly storage: Readonly<Record<Hash32, Hash32>>
}

/** The state after a simulated operation, for simulating the next one. */
export type StateChanges = Readonly<Record<Address, AccountChanges>>
