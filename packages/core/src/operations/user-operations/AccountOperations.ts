import { Context, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address, Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import type { Authorization, SignData, SigningMistake } from "../../foundation/signing/index.ts"
import type { Account, EntryPointVersion } from "../../wallets/registry/index.ts"
import type { Call } from "./Call.ts"
import type { UserOperation } from "./UserOperation.ts"

/** The fields of an operation that deploy its account. */
export interface Deployment {
  readonly factory: Address | "0x7702"
  readonly factoryData: HexBytes | null
}

/** Encodes calls and signatures for each account type. The results depend only on the arguments, not on chain state. */
export class AccountOperations extends Context.Service<
  AccountOperations,
  {
    readonly entryPointOf: (account: Account) => { readonly address: Address; readonly version: EntryPointVersion }
    readonly deploymentOf: (account: Account) => Deployment
    /**
     * Returns whether the owner's signature covers the operation's `validUntil`, which the account then enforces
     * on-chain.
     */
    readonly signsValidity: (account: Account) => boolean
    /** Encodes the calldata with which the EntryPoint makes the account execute the calls, in order and atomically. */
    readonly encodeCalls: (account: Account, calls: ReadonlyArray<Call>) => HexBytes
    /** Returns a signature for estimations, with valid length and format. Its verification fails without a revert. */
    readonly stubSignatureOf: (account: Account) => HexBytes
    /** Computes the ERC-4337 `userOpHash`, equal to the EntryPoint's `getUserOpHash`. */
    readonly hash: (operation: UserOperation) => Hash32
    /** Builds the EIP-7702 tuple with its signing hash. */
    readonly buildAuthorization: (chainId: EvmChainId, delegate: Address, nonce: bigint) => Authorization
    /** Returns the elements that the owner must sign: the operation, and then the authorization if there is one. */
    readonly buildSignData: (account: Account, operation: UserOperation) => ReadonlyArray<SignData>
    /**
     * Returns the address whose key made a 65-byte signature of the data. Null if the bytes are not a valid signature.
     */
    readonly recoverSigner: (data: SignData, signature: HexBytes) => Effect.Effect<Address | null>
    /** Detects known mistakes: returns what the owner signed instead of `data`. Null if it is not a known mistake. */
    readonly detectSigningMistake: (
      data: SignData,
      signature: HexBytes,
      owner: Address
    ) => Effect.Effect<SigningMistake | null>
    /** Converts the owner's 65-byte signature of an operation to the format that the account expects. */
    readonly wrapSignature: (account: Account, operation: UserOperation, signature: HexBytes) => HexBytes
  }
>()("@countersign/core/user-operations/AccountOperations") {}
