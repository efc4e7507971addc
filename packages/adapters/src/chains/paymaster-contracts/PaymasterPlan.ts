import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import type { EntryPointVersion } from "@countersign/core/wallets/registry"
import type { ListedToken } from "../deployments/index.ts"

/** How the paymaster of one EntryPoint is to be on one chain. */
export interface PaymasterPlan {
  readonly chainId: EvmChainId
  readonly version: EntryPointVersion
  readonly address: Address
  /** Null where it is not known. */
  readonly owner: Address | null
  readonly signer: Address
  readonly treasury: Address
  /** Operators whose bundles it takes. */
  readonly operators: ReadonlyArray<Address>
  /** Tokens that it gives back from the treasury what was not needed of. */
  readonly tokens: ReadonlyArray<ListedToken>
}

/** How it is. Nothing of the contract is there while it has no code. */
export interface PaymasterState {
  readonly hasCode: boolean
  /** Whether the code is what we deploy. */
  readonly codeMatches: boolean
  /** Null where no owner is known. */
  readonly ownerIsAdmin: boolean | null
  readonly signerIsListed: boolean
  readonly unlistedOperators: ReadonlyArray<Address>
  readonly unapprovedTokens: ReadonlyArray<ListedToken>
  /** Wei at the EntryPoint. */
  readonly deposit: bigint
  /** Wei for a unit of gas that is offered now. */
  readonly maxFeePerGas: bigint
}

/** Whether operations can be paid for, but for the deposit. */
export const isSetUp = ({
  codeMatches,
  signerIsListed,
  unapprovedTokens,
  unlistedOperators
}: PaymasterState): boolean =>
  codeMatches && signerIsListed && unlistedOperators.length === 0 && unapprovedTokens.length === 0
