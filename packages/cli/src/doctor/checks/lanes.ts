import { operatorAddresses } from "@countersign/adapters/chains/evm"
import { OperatorTransactionStore, type WatchedLane } from "@countersign/core/operations/operator"
import { Effect } from "effect"
import { type Finding, failing } from "../Finding.ts"
import type { Observed } from "../Observed.ts"
import { count, nameOf } from "../words.ts"
import type { Configuration } from "./configuration.ts"

/** The watched transactions of each operator key. */
export const observeLanes = Effect.flatMap(OperatorTransactionStore, (store) => store.watchedLanes)

const keysOf = ({ settings: { bundler } }: Configuration): ReadonlySet<string> =>
  new Set(bundler._tag === "Self" ? Object.values(operatorAddresses(bundler.operatorKeys)).flat() : [])

/** Transactions that cannot be sent again, because their key is not configured. */
export const diagnoseLanes = (
  lanes: Observed<ReadonlyArray<WatchedLane>>,
  configuration: Configuration
): ReadonlyArray<Finding> => {
  if (lanes._tag === "Unseen") return []
  const configuredKeys = keysOf(configuration)
  const orphans = lanes.value.filter(({ lane, waiting }) => waiting > 0 && !configuredKeys.has(lane.operator))
  return orphans.map(({ lane, waiting }) =>
    failing(
      `${nameOf(lane.chainId)} operator ${lane.operator}`,
      `its key is not set, and ${count(waiting, "transaction")} of it ${waiting === 1 ? "is" : "are"} not in a block`,
      {
        waitsFor: "its key: no other process can send them again or replace them",
        byItself: "They may still be included in a block.",
        whatToDo: "Add its key to the setting again, until none of its transactions waits."
      }
    )
  )
}
