import { type ChainId, chains } from "@countersign/core/chains"
import { Option } from "effect"
import { Flag } from "effect/cli"

const chainList = chains.map(({ id, name }) => `${name} (${id})`).join(", ")

/** A chain by its id or by the beginning of its name. */
const chainOrNone = (text: string): Option.Option<ChainId> => {
  const lowerCaseText = text.trim().toLowerCase()
  const chain = chains.find(
    ({ id, name }) =>
      String(id) === lowerCaseText || (lowerCaseText !== "" && name.toLowerCase().startsWith(lowerCaseText))
  )
  return Option.map(Option.fromNullishOr(chain), ({ id }) => id)
}

/** `--chain`, without a default. */
export const namedChainFlag = Flag.String("chain").pipe(
  Flag.withDescription("Id of the chain, or the beginning of its name"),
  Flag.filterMap(chainOrNone, () => `Expected one of ${chainList}`)
)

/** `--chain`, Ethereum when not given. */
export const chainFlag = namedChainFlag.pipe(Flag.withDefault<ChainId>(1))
