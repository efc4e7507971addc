import type { Address } from "@countersign/core/foundation/primitives"
import type { AccountKind } from "@countersign/core/wallets/registry"
import type { AccountImplementation } from "./AccountImplementation.ts"
import { safe4337 } from "./safe4337.ts"
import { simple7702Account, simpleAccount07, simpleAccount08 } from "./simpleAccounts.ts"

const implementationByKind: { readonly [K in AccountKind]: AccountImplementation } = {
  SIMPLE_0_7: simpleAccount07,
  SIMPLE_0_8: simpleAccount08,
  SAFE_4337: safe4337,
  SIMPLE_7702: simple7702Account
}

export const accountImplementations: ReadonlyArray<AccountImplementation> = Object.values(implementationByKind)

export const implementationOf = (kind: AccountKind): AccountImplementation => implementationByKind[kind]

export const factoryImplementation = (factory: Address): AccountImplementation | undefined =>
  accountImplementations.find(({ info }) => info.factory === factory)
