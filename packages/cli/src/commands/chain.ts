import {
  type ContractState,
  contractsOf,
  missingFeatures,
  observeContracts
} from "@countersign/adapters/chains/chain-contracts"
import { RpcClientsLayer } from "@countersign/adapters/chains/evm"
import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { chainSetUp, requireDeployer } from "../environment/chainSetUp.ts"
import { namedChainFlag } from "../input/chain.ts"
import { jsonFlag, print } from "../output/print.ts"
import { table } from "../output/table.ts"
import { evmChain } from "../paymaster/plans.ts"

const remedyOf = (chainId: EvmChainId, { isDeployableByAnyone, isDeployed }: ContractState): string =>
  isDeployed
    ? ""
    : isDeployableByAnyone
      ? `countersign chain prepare --chain ${chainId}`
      : "only its author can deploy it, because its address depends on the author's key"

const statusText = (chainId: EvmChainId, states: ReadonlyArray<ContractState>): string => {
  const featuresWithoutContracts = missingFeatures(states)
  const rows = states.map((state) => [
    state.name,
    state.address,
    state.isDeployed ? "there" : "MISSING",
    state.isDeployed ? "" : state.feature,
    remedyOf(chainId, state)
  ])
  return [
    table(["CONTRACT", "ADDRESS", "STATE", "NEEDED FOR", "SOURCE"], rows),
    "",
    featuresWithoutContracts.length === 0
      ? `All contracts are deployed on ${chainOf(chainId).name}.`
      : `Missing contracts on ${chainOf(chainId).name}:`,
    ...featuresWithoutContracts.map((feature) => `  ${feature}`)
  ].join("\n")
}

const status = Command.make(
  "status",
  {
    chain: namedChainFlag.pipe(Flag.withDescription("Only this chain (default: all served chains)"), Flag.optional),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ chain, json }) {
    const setUp = yield* chainSetUp
    const chainIds = Option.isSome(chain) ? [yield* evmChain(setUp, chain.value)] : setUp.activeChains()
    const observations = yield* Effect.forEach(chainIds, (chainId) =>
      Effect.map(observeContracts(chainId), (contracts) => ({ chainId, contracts }))
    ).pipe(Effect.provide(RpcClientsLayer({ urls: setUp.rpcUrls })))
    yield* print(json, observations, () =>
      observations.map(({ chainId, contracts }) => statusText(chainId, contracts)).join("\n\n")
    )
  })
).pipe(Command.withDescription("Show the contracts of a chain, and the features that missing contracts disable"))

const nameOf = (chainId: EvmChainId, address: string): string =>
  contractsOf(chainId).find((contract) => contract.address === address)?.name ?? "contract"

const prepare = Command.make(
  "prepare",
  { chain: namedChainFlag, json: jsonFlag },
  Effect.fnUntraced(function* ({ chain, json }) {
    const setUp = yield* chainSetUp
    const chainId = yield* evmChain(setUp, chain)
    const key = yield* requireDeployer
    const { prepareChain } = yield* Effect.promise(() => import("@countersign/adapters/chains/chain-preparation"))
    const { contracts, failedContracts, preparedContracts } = yield* Effect.gen(function* () {
      return { ...(yield* prepareChain(chainId, key)), contracts: yield* observeContracts(chainId) }
    }).pipe(Effect.provide(RpcClientsLayer({ urls: setUp.rpcUrls })))
    const missingContracts = contracts.filter(({ isDeployed }) => !isDeployed)
    const deployedContracts = preparedContracts.map((contract) => ({
      name: nameOf(chainId, contract.address),
      ...contract
    }))
    yield* print(
      json,
      { chainId, prepared: deployedContracts, failed: failedContracts, missing: missingContracts },
      () =>
        [
          deployedContracts.length === 0
            ? failedContracts.length > 0
              ? "No contract could be deployed."
              : "All contracts that any account can deploy are already deployed."
            : table(
                ["CONTRACT", "ADDRESS", "TRANSACTION"],
                deployedContracts.map(({ address, name, transactionHash }) => [name, address, transactionHash])
              ),
          ...failedContracts.map(({ address, reason }) => `${nameOf(chainId, address)} was not deployed: ${reason}`),
          ...(missingContracts.length === 0
            ? []
            : ["", "These contracts are still missing. Most of them can only be deployed by their authors:"]),
          ...missingFeatures(contracts).map((feature) => `  ${feature}`)
        ].join("\n")
    )
  })
).pipe(
  Command.withDescription(
    "Deploy the missing contracts that any account can deploy on a new or private chain: Multicall3, EntryPoints, account factories. PAYMASTER_OWNER_PRIVATE_KEY pays the gas. The command can be repeated"
  ),
  Command.withExamples([
    { command: "countersign chain prepare --chain base", description: "Deploy on a chain with Base's chain id" }
  ])
)

export const chain = Command.make("chain").pipe(Command.withSubcommands([status, prepare]))
