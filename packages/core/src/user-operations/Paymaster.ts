import { Context, type Effect, Schema } from "effect"
import type { EvmChainId } from "../chains/index.ts"
import type { UpstreamUnavailable } from "../errors/index.ts"
import type { Address, HexBytes } from "../primitives/index.ts"
import type { Token } from "../tokens/index.ts"
import type { EntryPointVersion } from "../wallets/index.ts"
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
    /** `paymasterData` for an operation whose every other field is final. `validUntil` is in unix seconds. */
    readonly sign: (
      operation: UserOperation,
      token: Token,
      terms: PaymasterTerms,
      validUntil: number
    ) => Effect.Effect<HexBytes, UpstreamUnavailable>
  }
>()("@countersign/core/user-operations/Paymaster") {}
