import { Schema } from "effect"
import { EvmChainId } from "../../foundation/chains/index.ts"
import { Address, DecimalString, Hash32 } from "../../foundation/primitives/index.ts"
import { ProjectId } from "../../tenancy/projects/index.ts"

/**
 * UNPAID_OPERATION: a paymaster paid the gas of an included operation and was not reimbursed. REVERTED_BUNDLE: the
 * operator paid for an EntryPoint transaction that reverted because of one of its operations.
 */
export const UnpaidGasCause = Schema.Literals(["UNPAID_OPERATION", "REVERTED_BUNDLE"])
export type UnpaidGasCause = typeof UnpaidGasCause.Type

/** Unpaid gas, and the wallet that caused it. */
export const UnpaidGasEntry = Schema.Struct({
  projectId: ProjectId,
  walletAddress: Address,
  owner: Address,
  chainId: EvmChainId,
  wei: Schema.BigInt,
  /** US dollars. Null if the price of the native token is unknown. */
  usd: Schema.NullOr(DecimalString),
  cause: UnpaidGasCause,
  at: Schema.DateTimeUtc,
  /** Null if the gas can't be attributed to a single operation. */
  userOperationHash: Schema.NullOr(Hash32)
})
export type UnpaidGasEntry = typeof UnpaidGasEntry.Type

/** What a limit applies to: a wallet or an owner within its project, the project, or all projects of the operator. */
export type UnpaidGasScope = "wallet" | "owner" | "project" | "operator"
