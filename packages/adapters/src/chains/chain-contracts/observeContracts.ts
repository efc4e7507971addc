import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Effect } from "effect"
import { RpcClients } from "../evm/index.ts"
import { type ChainContract, contractsOf } from "./contractsOf.ts"

/** Whether a contract is deployed on its chain. */
export interface ContractState extends ChainContract {
  readonly isDeployed: boolean
}

/** Checks which contracts of a chain are deployed, in one batch of requests. Fails if no node of the chain responds. */
export const observeContracts = Effect.fn("observeContracts")(function* (chainId: EvmChainId) {
  const rpc = yield* RpcClients
  return yield* rpc.call(chainId, (client) =>
    Promise.all(
      contractsOf(chainId).map(async (contract): Promise<ContractState> => {
        const code = await client.getCode({ address: contract.address })
        return { ...contract, isDeployed: code !== undefined && code !== "0x" }
      })
    )
  )
})

/** Describes the missing contracts of a chain: one text for each affected feature. */
export const missingFeatures = (states: ReadonlyArray<ContractState>): ReadonlyArray<string> => {
  const missingContracts = states.filter(({ isDeployed }) => !isDeployed)
  return [...new Set(missingContracts.map(({ feature }) => feature))].map((feature) => {
    const names = missingContracts.filter((contract) => contract.feature === feature).map(({ name }) => name)
    return `${feature} (no ${names.length > 3 ? `${names.slice(0, 2).join(", ")} and ${names.length - 2} more` : names.join(", ")})`
  })
}
