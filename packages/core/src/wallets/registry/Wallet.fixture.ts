import { aBitcoinAddress, anAddress, at } from "../../foundation/primitives/ids.fixture.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import type { Account } from "./Account.ts"
import type { BitcoinWallet, SmartWallet } from "./Wallet.ts"

export const anAccount = (fields: Partial<Account> = {}): Account => ({
  address: anAddress(),
  owner: anAddress(),
  factory: anAddress(),
  implementation: anAddress(),
  salt: 0,
  kind: "SIMPLE_0_8",
  eip7702: false,
  ...fields
})

export const aWallet = (fields: Partial<SmartWallet> = {}): SmartWallet => ({
  type: "SMART",
  projectId: aProjectId(),
  account: anAccount(),
  metadata: {},
  registeredAt: at(0),
  lastTransactionAt: null,
  deployedOn: [],
  ...fields
})

export const aBitcoinWallet = (fields: Partial<BitcoinWallet> = {}): BitcoinWallet => ({
  type: "BITCOIN",
  address: aBitcoinAddress(),
  ownership: "PROVEN",
  key: null,
  projectId: aProjectId(),
  metadata: {},
  registeredAt: at(0),
  lastTransactionAt: null,
  ...fields
})
