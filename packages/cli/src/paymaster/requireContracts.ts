import { missingFeatures, observeContracts } from "@countersign/adapters/chains/chain-contracts"
import { accountContracts, deploymentOf } from "@countersign/adapters/chains/deployments"
import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import { Effect } from "effect"
import { CommandRefused } from "../environment/errors.ts"

/** Fails if the chain lacks the contracts that deploy paymasters. */
export const requireContracts = Effect.fnUntraced(function* (chainId: EvmChainId) {
  const { create2Deployer, entryPoint07, entryPoint08 } = accountContracts
  const neededAddresses: ReadonlyArray<string> = [
    create2Deployer,
    entryPoint07,
    entryPoint08,
    deploymentOf(chainId).multicall3
  ]
  const contracts = yield* observeContracts(chainId)
  const featuresWithoutContracts = missingFeatures(contracts.filter(({ address }) => neededAddresses.includes(address)))
  if (featuresWithoutContracts.length === 0) return
  const reason = `Contracts that paymasters need are missing on ${chainOf(chainId).name}: ${featuresWithoutContracts.join("; ")}. Deploy them with \`countersign chain prepare --chain ${chainId}\`.`
  return yield* new CommandRefused({ reason })
})
