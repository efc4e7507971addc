import { type ChainId, chains, evmChainIds } from "@countersign/core/foundation/chains"
import { Config, Option } from "effect"
import { Flag } from "effect/cli"

const listOf = (listedChains: typeof chains) => listedChains.map(({ id, name }) => `${name} (${id})`).join(", ")

/** Finds chains by id or name, otherwise by the beginning of the name. */
const findChains = (text: string): typeof chains => {
  const lowerCaseText = text.trim().toLowerCase()
  const exactMatches = chains.filter(
    ({ id, name }) => String(id) === lowerCaseText || name.toLowerCase() === lowerCaseText
  )
  if (exactMatches.length > 0 || lowerCaseText === "") return exactMatches
  return chains.filter(({ name }) => name.toLowerCase().startsWith(lowerCaseText))
}

const chainOrNone = (text: string): Option.Option<ChainId> => {
  const [chain, secondChain] = findChains(text)
  return chain === undefined || secondChain !== undefined ? Option.none() : Option.some(chain.id)
}

const unknownChainMessage = (text: string): string => {
  const candidates = findChains(text)
  return candidates.length > 1
    ? `The name matches ${listOf(candidates)}. Use a longer part of the name, or the id`
    : `Expected one of ${listOf(chains)}`
}

const CHAIN_DESCRIPTION = "Id of the chain, or the beginning of its name"

const chainFlagWithDescription = (description: string, name = "chain") =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.filterMap(chainOrNone, unknownChainMessage))

/** The flag `--chain` without a default. */
export const namedChainFlag = chainFlagWithDescription(CHAIN_DESCRIPTION)

/** The flag `--to-chain` for the destination chain. */
export const otherChainFlag = chainFlagWithDescription(
  `${CHAIN_DESCRIPTION} of the received token, if it is another chain`,
  "to-chain"
).pipe(Flag.optional)

const ETHEREUM = 1

const chainIdsInOrder = [ETHEREUM, ...evmChainIds.filter((id) => id !== ETHEREUM)] as const

/** The first chain with nodes. If the environment configures none, it is Ethereum, which the sandbox serves. */
const firstServedChain = Config.map(
  Config.all(chainIdsInOrder.map((id) => Config.option(Config.String(`RPC_URL_${id}`)))),
  (urls): ChainId => chainIdsInOrder.find((_, i) => Option.isSome(urls[i]!)) ?? ETHEREUM
)

/** The flag `--chain`, which defaults to a served chain. */
export const chainFlag = chainFlagWithDescription(
  `${CHAIN_DESCRIPTION}; by default Ethereum, or the first chain with an RPC_URL`
).pipe(Flag.withFallbackConfig(firstServedChain))
