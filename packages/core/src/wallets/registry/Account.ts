import { Schema } from "effect"
import { Address } from "../../foundation/primitives/index.ts"

/** The account type. It determines the deployment, the encoding of calls and the signature format. */
export const AccountKind = Schema.Literals(["SIMPLE_0_7", "SIMPLE_0_8", "SAFE_4337", "SIMPLE_7702"])
export type AccountKind = typeof AccountKind.Type

export const EntryPointVersion = Schema.Literals(["0.7", "0.8"])
export type EntryPointVersion = typeof EntryPointVersion.Type

/** A factory whose accounts the service can operate. For EIP-7702, the contract to which the account delegates. */
export const AccountFactoryInfo = Schema.Struct({
  factory: Address,
  implementation: Address,
  name: Schema.String,
  kind: AccountKind,
  entryPoint: Address,
  entryPointVersion: EntryPointVersion,
  eip7702: Schema.Boolean
})
export type AccountFactoryInfo = typeof AccountFactoryInfo.Type

/** Salts are limited to integers that JSON represents exactly, because the API returns a wallet's salt as a number. */
export const Salt = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

/**
 * A smart account, which its owner, factory and salt determine. Its address is the same on every chain, deployed or
 * not.
 */
export const Account = Schema.Struct({
  address: Address,
  owner: Address,
  factory: Address,
  implementation: Address,
  salt: Salt,
  kind: AccountKind,
  eip7702: Schema.Boolean
})
export type Account = typeof Account.Type

export interface AccountRequest {
  readonly owner: Address
  readonly factory: Address
  readonly salt: number
  readonly eip7702: boolean
}
