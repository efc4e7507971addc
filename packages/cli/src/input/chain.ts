import { type ChainId, chains } from "@countersign/core/chains"
import { Option } from "effect"
import { Flag } from "effect/cli"

const listOf = (some: typeof chains) => some.map(({ id, name }) => `${name} (${id})`).join(", ")

/** Chains that a text may mean: the one with this id or name, or else those whose names begin so. */
const chainsLike = (text: string): typeof chains => {
  const lowerCaseText = text.trim().toLowerCase()
  const exact = chains.filter(({ id, name }) => String(id) === lowerCaseText || name.toLowerCase() === lowerCaseText)
  if (exact.length > 0 || lowerCaseText === "") return exact
  return chains.filter(({ name }) => name.toLowerCase().startsWith(lowerCaseText))
}

const chainOrNone = (text: string): Option.Option<ChainId> => {
  const [chain, another] = chainsLike(text)
  return chain === undefined || another !== undefined ? Option.none() : Option.some(chain.id)
}

const complaint = (text: string): string => {
  const candidates = chainsLike(text)
  return candidates.length > 1
    ? `It may mean ${listOf(candidates)}: write more of the name, or the id`
    : `Expected one of ${listOf(chains)}`
}

/** `--chain`, without a default. */
export const namedChainFlag = Flag.String("chain").pipe(
  Flag.withDescription("Id of the chain, or the beginning of its name"),
  Flag.filterMap(chainOrNone, complaint)
)

/** `--chain`, Ethereum when not given. */
export const chainFlag = namedChainFlag.pipe(Flag.withDefault<ChainId>(1))
