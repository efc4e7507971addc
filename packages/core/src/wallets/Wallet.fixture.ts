import { anAddress, at } from "../primitives/ids.fixture.ts"
import { aProjectId } from "../projects/Project.fixture.ts"
import type { Account } from "./Account.ts"
import type { Wallet } from "./Wallet.ts"

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

export const aWallet = (fields: Partial<Wallet> = {}): Wallet => ({
  projectId: aProjectId(),
  account: anAccount(),
  metadata: {},
  registeredAt: at(0),
  lastTransactionAt: null,
  deployedOn: [],
  ...fields
})
