import { type ContractState, missingFeatures, observeContracts } from "@countersign/adapters/chains/chain-contracts"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Effect } from "effect"
import { type Finding, failing, ok } from "../Finding.ts"
import { type CheckResult, observe } from "../Observed.ts"
import { nameOf } from "../words.ts"
import type { Configuration } from "./configuration.ts"
import { queryChains } from "./onChains.ts"

export interface ChainContracts {
  readonly chainId: EvmChainId
  readonly contracts: CheckResult<ReadonlyArray<ContractState>>
}

/**
 * Reads which contracts are missing on each chain. Skips a sandbox, which deploys its contracts when a chain is first
 * used.
 */
export const observeChainContracts = ({ sandboxHome, settings }: Configuration, deadlineMs: number) =>
  sandboxHome !== null
    ? Effect.succeed([])
    : queryChains(settings, (chainId) =>
        Effect.map(
          observe(observeContracts(chainId), deadlineMs),
          (contracts): ChainContracts => ({ chainId, contracts })
        )
      )

const chainFindings = ({ chainId, contracts }: ChainContracts): ReadonlyArray<Finding> => {
  // The findings about nodes already report a chain whose nodes do not respond.
  if (contracts._tag !== "Seen") return []
  const subject = `${nameOf(chainId)} contracts`
  const featuresWithoutContracts = missingFeatures(contracts.value)
  if (featuresWithoutContracts.length === 0) return [ok(subject, "all are deployed")]
  const detail = `missing for ${featuresWithoutContracts.join("; ")}`
  const canBeDeployed = contracts.value.some(
    ({ isDeployableByAnyone, isDeployed }) => isDeployableByAnyone && !isDeployed
  )
  return canBeDeployed
    ? [
        failing(subject, detail, {
          waitsFor: "contracts that `countersign chain prepare` can deploy",
          byItself: `Nothing: operations that need these contracts are rejected on ${nameOf(chainId)}.`,
          whatToDo: `Run \`countersign chain prepare --chain ${chainId}\`. \`countersign chain status\` shows each contract.`
        })
      ]
    : [ok(subject, `the required contracts are deployed; ${detail}`)]
}

export const diagnoseContracts = (chains: ReadonlyArray<ChainContracts>): ReadonlyArray<Finding> =>
  chains.flatMap(chainFindings)
