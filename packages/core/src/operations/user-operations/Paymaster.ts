import { Context, type Effect, Schema } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address, HexBytes } from "../../foundation/primitives/index.ts"
import type { Token } from "../../foundation/tokens/index.ts"
import type { EntryPointVersion } from "../../wallets/registry/index.ts"
import type { UserOperation } from "./UserOperation.ts"

/** The paymaster does not accept this token for gas on this chain. It may accept another token. */
export class GasTokenNotAccepted extends Schema.TaggedError<GasTokenNotAccepted>(
  "core/user-operations/GasTokenNotAccepted"
)("GAS_TOKEN_NOT_ACCEPTED", { token: Schema.String, reason: Schema.String }) {
  override get message(): string {
    return `Gas can't be paid with ${this.token}: ${this.reason}.`
  }
}

/** A paymaster's terms for a token. */
export interface PaymasterTerms {
  readonly address: Address
  /** Base units of the token per 10^18 wei. */
  readonly tokenUnitsPerNativeToken: bigint
  /** Gas that the paymaster charges in addition to the gas that the EntryPoint measures. */
  readonly postOpGasCharge: bigint
  /** Minimum gas limits for the two calls to the paymaster. */
  readonly verificationGasLimit: bigint
  readonly postOpGasLimit: bigint
  /** `paymasterData` of valid length, for simulations. */
  readonly stubData: HexBytes
  /**
   * The account that refunds the unused part of a fee that was charged before the calls. It must have granted the
   * paymaster an allowance. Null if the paymaster charges fees only after the calls.
   */
  readonly refundsFrom: Address | null
}

/** The terms that a paymaster signs for an operation. */
export interface PaymasterCommitment {
  /** Unix seconds of the last block that may include the operation. */
  readonly validUntil: number
  /** Base units that are charged before the account's calls. Zero if the complete fee is charged after them. */
  readonly prefund: bigint
}

/** Pays an operation's gas in the native token, and charges the account in a token. */
export class Paymaster extends Context.Service<
  Paymaster,
  {
    readonly readTerms: (
      chainId: EvmChainId,
      entryPointVersion: EntryPointVersion,
      token: Token
    ) => Effect.Effect<PaymasterTerms, GasTokenNotAccepted | UpstreamUnavailable>
    /** Returns the signed `paymasterData` for an operation whose other fields are final. */
    readonly sign: (
      operation: UserOperation,
      token: Token,
      terms: PaymasterTerms,
      commitment: PaymasterCommitment
    ) => Effect.Effect<HexBytes, UpstreamUnavailable>
  }
>()("@countersign/core/user-operations/Paymaster") {}
