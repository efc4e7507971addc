import { Schema } from "effect"
import { EvmChainId } from "../chains/index.ts"
import { Metadata } from "../primitives/index.ts"
import { ProjectId } from "../projects/index.ts"
import { Account } from "./Account.ts"

/** An account registered with a project. */
export const Wallet = Schema.Struct({
  projectId: ProjectId,
  account: Account,
  metadata: Metadata,
  registeredAt: Schema.DateTimeUtc,
  lastTransactionAt: Schema.NullOr(Schema.DateTimeUtc),
  /** Chains on which the account is known to have code. Once there it stays, so what is listed is true for good. */
  deployedOn: Schema.Array(EvmChainId)
})
export type Wallet = typeof Wallet.Type
