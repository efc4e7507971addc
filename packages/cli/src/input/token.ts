import type { ChainId } from "@countersign/core/foundation/chains"
import { TokenCatalog } from "@countersign/core/foundation/tokens"
import { Effect } from "effect"
import { NotFound } from "../environment/errors.ts"

const TOKENS_MAX = 1_000

const tokensOn = (chainId: ChainId, text: string) =>
  Effect.map(
    TokenCatalog.use((catalog) => catalog.search({ text, chainIds: [chainId], offset: 0, limit: TOKENS_MAX })),
    ({ tokens }) => tokens
  )

/** Finds a token by address or symbol; `native` means the native token. */
export const resolveToken = Effect.fnUntraced(function* (chainId: ChainId, text: string) {
  const lowerCaseText = text.toLowerCase()
  const tokens = yield* tokensOn(chainId, lowerCaseText === "native" ? "" : lowerCaseText)
  const exactMatch = tokens.find(
    ({ address, symbol }) => address === lowerCaseText || symbol.toLowerCase() === lowerCaseText
  )
  const token = lowerCaseText === "native" ? tokens[0] : exactMatch
  return (
    token ??
    (yield* new NotFound({
      what: `There is no token "${text}" on chain ${chainId}.`,
      hint: `\`countersign token list --chain ${chainId}\` shows the tokens.`
    }))
  )
})

/** Returns the address of a token that the user named by address or symbol. */
export const resolveTokenAddress = (chainId: ChainId, text: string) =>
  Effect.map(resolveToken(chainId, text), ({ address }) => address)

export type SymbolOf = (address: string) => string

/** Returns a function from token address to symbol. It returns the address itself for an unlisted token. */
export const symbolsOn = (chainId: ChainId): Effect.Effect<SymbolOf, never, TokenCatalog> =>
  Effect.map(tokensOn(chainId, ""), (tokens) => {
    const symbols = new Map<string, string>(tokens.map(({ address, symbol }) => [address, symbol]))
    return (address) => symbols.get(address) ?? address
  })
