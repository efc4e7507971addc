import { Context, type Effect, Schema } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address, HexBytes } from "../../foundation/primitives/index.ts"
import type { Token } from "../../foundation/tokens/index.ts"
import type { EntryPointVersion } from "../../wallets/registry/index.ts"
import type { UserOperation } from "./UserOperation.ts"

/** No gas can be paid with this token here. Another token, or the chain's coin, may do. */
export class GasTokenNotAccepted extends Schema.TaggedError<GasTokenNotAccepted>(
  "core/user-operations/GasTokenNotAccepted"
)("GAS_TOKEN_NOT_ACCEPTED", { token: Schema.String, reason: Schema.String }) {
  override get message(): string {
    return `Gas can't be paid with ${this.token}: ${this.reason}.`
  }
}

/** On which terms a paymaster takes a token. */
export interface PaymasterTerms {
  readonly address: Address
  /** Base units of the token for 10^18 wei. */
  readonly tokenUnitsPerCoin: bigint
  /** Gas that the paymaster charges beyond what the EntryPoint measures. */
  readonly postOpGasCharge: bigint
  /** Least limits that its two calls need. */
  readonly verificationGasLimit: bigint
  readonly postOpGasLimit: bigint
  /** `paymasterData` of the right length, valid for simulation. */
  readonly stubData: HexBytes
  /**
   * From whom it gives back what is not needed of a fee that it took before the calls, where it can take one. That
   * account must let the paymaster take its tokens. Null where fees are taken after the calls alone.
   */
  readonly refundsFrom: Address | null
}

/** The terms that a paymaster signs. */
export interface PaymasterCommitment {
  /** Unix seconds of the last block that may have the operation. */
  readonly validUntil: number
  /** Base units that it takes before the account's calls; zero where it takes all after them. */
  readonly prefund: bigint
}

/** Pays an operation's gas in the chain's coin and takes a token for it. */
export class Paymaster extends Context.Service<
  Paymaster,
  {
    readonly terms: (
      chainId: EvmChainId,
      entryPointVersion: EntryPointVersion,
      token: Token
    ) => Effect.Effect<PaymasterTerms, GasTokenNotAccepted | UpstreamUnavailable>
    /** `paymasterData` for an operation whose every other field is final. */
    readonly sign: (
      operation: UserOperation,
      token: Token,
      terms: PaymasterTerms,
      commitment: PaymasterCommitment
    ) => Effect.Effect<HexBytes, UpstreamUnavailable>
  }
>()("@countersign/core/user-operations/Paymaster") {}
