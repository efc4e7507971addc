import type { ChainId } from "@countersign/core/chains"
import { TokenCatalog } from "@countersign/core/tokens"
import { Effect } from "effect"
import { NotFound } from "../environment/errors.ts"

/** A token by its address or symbol; `native` is the chain's own coin. */
export const chosenToken = Effect.fnUntraced(function* (chainId: ChainId, text: string) {
  const catalog = yield* TokenCatalog
  const lowerCaseText = text.toLowerCase()
  const { tokens } = yield* catalog.search({
    text: lowerCaseText === "native" ? "" : lowerCaseText,
    chainIds: [chainId],
    offset: 0,
    limit: 1_000
  })
  const exact = tokens.find(
    ({ address, symbol }) => address === lowerCaseText || symbol.toLowerCase() === lowerCaseText
  )
  const token = lowerCaseText === "native" ? tokens[0] : exact
  return (
    token ??
    (yield* new NotFound({
      what: `There is no token "${text}" on chain ${chainId}.`,
      hint: `\`countersign token list --chain ${chainId}\` shows them.`
    }))
  )
})
