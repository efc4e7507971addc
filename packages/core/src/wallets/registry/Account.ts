import { Schema } from "effect"
import { Address } from "../../foundation/primitives/index.ts"

/** Determines how an account is deployed, called and signed for. */
export const AccountKind = Schema.Literals(["SIMPLE_0_7", "SIMPLE_0_8", "SAFE_4337", "SIMPLE_7702"])
export type AccountKind = typeof AccountKind.Type

export const EntryPointVersion = Schema.Literals(["0.7", "0.8"])
export type EntryPointVersion = typeof EntryPointVersion.Type

/** A factory (for EIP-7702: the delegate contract) whose accounts the service can operate. */
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

/** Salts are whole numbers that JSON carries exactly, because the wire gives a wallet's salt as a number. */
export const Salt = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

/** A smart account as its owner, factory and salt determine it, on every chain alike, deployed or not. */
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
