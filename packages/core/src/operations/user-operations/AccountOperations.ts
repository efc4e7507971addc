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

/** Encodes calls and signatures for each account type, from its arguments only, without chain access. */
export class AccountOperations extends Context.Service<
  AccountOperations,
  {
    readonly entryPointOf: (account: Account) => { readonly address: Address; readonly version: EntryPointVersion }
    readonly deployment: (account: Account) => Deployment
    /**
     * Whether the owner's signature can have a deadline. Then the signature covers the operation's `validUntil`, and
     * the account enforces it on-chain.
     */
    readonly signsValidity: (account: Account) => boolean
    /** The call data with which the EntryPoint makes the account execute the calls, in order and atomically. */
    readonly encodeCalls: (account: Account, calls: ReadonlyArray<Call>) => HexBytes
    /** A signature for estimations, with a valid length and format. Its verification fails, but does not revert. */
    readonly stubSignature: (account: Account) => HexBytes
    /** The ERC-4337 `userOpHash`, equal to the result of the EntryPoint's `getUserOpHash`. */
    readonly hash: (operation: UserOperation) => Hash32
    /** The EIP-7702 tuple with its signing hash. */
    readonly authorization: (chainId: EvmChainId, delegate: Address, nonce: bigint) => Authorization
    /** The elements that the owner must sign: the operation, followed by the authorization if there is one. */
    readonly signData: (account: Account, operation: UserOperation) => ReadonlyArray<SignData>
    /** The address whose key made a 65-byte signature of the data; null if the bytes are not a valid signature. */
    readonly recoverSigner: (data: SignData, signature: HexBytes) => Effect.Effect<Address | null>
    /** The data that the owner signed by mistake; null if it is not a known mistake. */
    readonly signingMistake: (
      data: SignData,
      signature: HexBytes,
      owner: Address
    ) => Effect.Effect<SigningMistake | null>
    /** The owner's 65-byte signature of an operation, converted to the format that the account expects. */
    readonly wrapSignature: (account: Account, operation: UserOperation, signature: HexBytes) => HexBytes
  }
>()("@countersign/core/user-operations/AccountOperations") {}
