import { Context, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"
import type { EntryPointVersion } from "../../wallets/registry/index.ts"

/**
 * An account that pays gas for the operator: an account of the built-in bundler, or a paymaster contract with its
 * deposit.
 */
export interface FundedAccount {
  readonly kind: "OPERATOR" | "PAYMASTER"
  readonly chainId: EvmChainId
  readonly address: Address
  readonly entryPointVersion: EntryPointVersion
  /** Null if no node of the chain responds in time. */
  readonly funds: { readonly wei: bigint; readonly maxFeePerGas: bigint } | null
}

/** Reads the balances of the accounts that pay gas, on each active chain. Empty if only external services pay gas. */
export class GasFunds extends Context.Service<
  GasFunds,
  { readonly read: Effect.Effect<ReadonlyArray<FundedAccount>> }
>()("@countersign/core/oversight/GasFunds") {}
