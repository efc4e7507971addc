import { operatorAddresses } from "@countersign/adapters/chains/evm"
import { OperatorTransactionStore, type WatchedOperatorAccount } from "@countersign/core/operations/operator"
import { Effect } from "effect"
import { type Finding, failing } from "../Finding.ts"
import type { CheckResult } from "../Observed.ts"
import { countText, nameOf } from "../words.ts"
import type { Configuration } from "./configuration.ts"

/** Reads the pending transactions of each operator account. */
export const observeOperatorAccounts = Effect.flatMap(OperatorTransactionStore, (store) => store.listWatchedAccounts)

const configuredAddressesOf = ({ settings: { bundler } }: Configuration): ReadonlySet<string> =>
  new Set(bundler._tag === "Self" ? Object.values(operatorAddresses(bundler.operatorKeys)).flat() : [])

/** Reports pending transactions that cannot be rebroadcast, because the operator key is not configured. */
export const diagnoseOperatorAccounts = (
  operatorAccounts: CheckResult<ReadonlyArray<WatchedOperatorAccount>>,
  configuration: Configuration
): ReadonlyArray<Finding> => {
  if (operatorAccounts._tag === "Unseen") return []
  const configuredAddresses = configuredAddressesOf(configuration)
  const orphans = operatorAccounts.value.filter(
    ({ operatorAccount, waiting }) => waiting > 0 && !configuredAddresses.has(operatorAccount.operator)
  )
  return orphans.map(({ operatorAccount, waiting }) =>
    failing(
      `${nameOf(operatorAccount.chainId)} operator ${operatorAccount.operator}`,
      `the key of this operator is not set, but ${countText(waiting, "transaction")} of it ${waiting === 1 ? "is" : "are"} not in a block`,
      {
        waitsFor: "the key, without which no process can resend or replace these transactions",
        byItself: "The transactions may still be included in a block.",
        whatToDo: "Add the key to the setting again, until all of its transactions are in blocks."
      }
    )
  )
}
