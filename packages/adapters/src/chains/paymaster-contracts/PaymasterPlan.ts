import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import type { EntryPointVersion } from "@countersign/core/wallets/registry"
import type { ListedToken } from "../deployments/index.ts"

/** The intended setup of a paymaster for one EntryPoint on one chain. */
export interface PaymasterPlan {
  readonly chainId: EvmChainId
  readonly version: EntryPointVersion
  readonly address: Address
  /** Null if the owner is unknown. */
  readonly owner: Address | null
  readonly signer: Address
  readonly treasury: Address
  /** Operators whose bundles the paymaster accepts. */
  readonly operators: ReadonlyArray<Address>
  /** Tokens whose unused charges the treasury refunds. */
  readonly tokens: ReadonlyArray<ListedToken>
}

/** The current state of a paymaster. Without code there are no contract data. */
export interface PaymasterState {
  readonly hasCode: boolean
  /** Whether the deployed code equals the expected code. */
  readonly codeMatches: boolean
  /** Null if no owner is known. */
  readonly ownerIsAdmin: boolean | null
  readonly signerIsListed: boolean
  readonly unlistedOperators: ReadonlyArray<Address>
  readonly unapprovedTokens: ReadonlyArray<ListedToken>
  /** Wei in the paymaster's deposit at the EntryPoint. */
  readonly deposit: bigint
  /** The current gas price offer in wei. */
  readonly maxFeePerGas: bigint
}

/** Whether the paymaster can pay for operations, apart from the amount of its deposit. */
export const isSetUp = ({
  codeMatches,
  signerIsListed,
  unapprovedTokens,
  unlistedOperators
}: PaymasterState): boolean =>
  codeMatches && signerIsListed && unlistedOperators.length === 0 && unapprovedTokens.length === 0
