import { Schema } from "effect"
import { Address, type Hash32, type HexBytes } from "../../foundation/primitives/index.ts"
import type { RevertReason } from "./UserOperation.ts"

/** A movement of a token (the chain's coin under `NATIVE_COIN`), in base units. */
export const TokenTransfer = Schema.Struct({ token: Address, from: Address, to: Address, amount: Schema.BigInt })
export type TokenTransfer = typeof TokenTransfer.Type

/** An NFT that came into being. */
export interface MintedNft {
  readonly contract: Address
  readonly tokenId: bigint
}

/**
 * A change of what a spender may take of the account's token, in base units: GIVEN is the whole allowance from then on, USED
 * what was taken of it.
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

/** The result of running an operation on the latest block without sending it. */
export interface Simulation {
  /**
   * Limits with a margin over what was used, not those that the operation came with; where the run reverted early,
   * generous figures of the account kind.
   */
  readonly limits: GasLimits
  /** Gas that the run took, preVerificationGas included. */
  readonly gasUsed: bigint
  /** The paymaster's charge in its token, in base units; null where the run did not tell. */
  readonly tokenPaid: bigint | null
  /** Null when the operation would execute. */
  readonly revert: RevertReason | null
  /**
   * Unix seconds of the last block time at which the account and its paymaster let the operation execute; null where they
   * set none, or where the run did not tell.
   */
  readonly validUntil: number | null
  /** In order of execution. Empty when reverted. */
  readonly transfers: ReadonlyArray<TokenTransfer>
  /** Changes of allowances of the account's tokens, in order of execution. Empty when reverted. */
  readonly allowanceChanges: ReadonlyArray<AllowanceChange>
  /** A sentence on what the chain's nodes can't show of a run; null where they show all of it. */
  readonly notSeen: string | null
}

/** The changes of one account in a run. Missing fields are unchanged. */
export interface AccountChanges {
  /** Wei. */
  readonly balance?: bigint
  readonly nonce?: bigint
  readonly code?: HexBytes
  /** Slots that changed, with what they hold now. */
  readonly storage: Readonly<Record<Hash32, Hash32>>
}

/** The state after a run of an operation, for simulations of the operation that follows it. */
export type StateChanges = Readonly<Record<Address, AccountChanges>>
