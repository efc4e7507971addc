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
  /** Tokens for which the treasury refunds unused charges. */
  readonly tokens: ReadonlyArray<ListedToken>
}

/** The current state of a paymaster. If its code does not match, the signer and the operators count as not listed. */
export interface PaymasterState {
  readonly hasCode: boolean
  /** Whether the deployed code equals the expected code. */
  readonly codeMatches: boolean
  /** Whether the owner has the admin role; null if the owner is unknown or the code does not match. */
  readonly ownerIsAdmin: boolean | null
  readonly signerIsListed: boolean
  readonly unlistedOperators: ReadonlyArray<Address>
  readonly unapprovedTokens: ReadonlyArray<ListedToken>
  /** Deposit of the paymaster at the EntryPoint, in wei. */
  readonly deposit: bigint
  /** Current maximum fee per gas, in wei. */
  readonly maxFeePerGas: bigint
}

/** Whether the paymaster is set up to pay for operations, regardless of the amount of its deposit. */
export const isSetUp = ({
  codeMatches,
  signerIsListed,
  unapprovedTokens,
  unlistedOperators
}: PaymasterState): boolean =>
  codeMatches && signerIsListed && unlistedOperators.length === 0 && unapprovedTokens.length === 0
