import type { Address, HexBytes } from "@countersign/core/foundation/primitives"
import type { SignData } from "@countersign/core/foundation/signing"
import type { Call, Deployment, UserOperation } from "@countersign/core/operations/user-operations"
import type { Account, AccountFactoryInfo } from "@countersign/core/wallets/registry"
import type { StorageWord } from "./storage.ts"

/** Computes the address, deployment, calls and signatures of one account type. Makes no requests. */
export interface AccountImplementation {
  readonly info: AccountFactoryInfo
  /** Computes the CREATE2 address of the owner's account, which equals the factory's result. */
  readonly addressOf: (owner: Address, salt: number) => Address
  /** Returns the expected storage words of an unmodified account; empty if comparing the code is sufficient. */
  readonly storage: (account: Account) => ReadonlyArray<StorageWord>
  readonly deployment: (account: Account) => Deployment
  readonly encodeCalls: (calls: ReadonlyArray<Call>) => HexBytes
  readonly stubSignature: HexBytes
  readonly signsValidity: boolean
  /** Builds the data that the owner signs for the operation, without the EIP-7702 authorization. */
  readonly signData: (operation: UserOperation) => SignData
  /** Converts the owner's 65-byte signature, with v of 27 or 28, to the account's signature format. */
  readonly wrapSignature: (operation: UserOperation, signature: HexBytes) => HexBytes
}
