import type { Chain, Client, Token } from "../../src/client/index.ts"
import { useLoad } from "../useLoad.ts"
import { isSameAddress, shortAddress } from "../words.ts"

const TOKENS_MAX = 100

const BITCOIN = 0

export interface Catalog {
  /** Chains that support smart wallets. */
  readonly chains: ReadonlyArray<Chain>
  readonly tokensOf: (chainId: number) => ReadonlyArray<Token>
  readonly isLoading: boolean
  readonly failure: unknown
  /** Returns the symbol of a token, or its shortened address if the token is not listed. */
  readonly symbolOf: (chainId: number, address: string) => string
}

/** Loads the chains that support smart wallets, and up to `TOKENS_MAX` listed tokens of each chain. */
export const useCatalog = (client: Client): Catalog => {
  const { failure, isLoading, value } = useLoad("catalog", async (signal) => {
    const chains = (await client.catalog.chains({ signal })).filter(({ id }) => id !== BITCOIN)
    const lists = await Promise.all(
      chains.map(({ id }) => client.catalog.tokens({ chains: [id as 1], perPage: TOKENS_MAX }, { signal }))
    )
    return { chains, tokens: lists.flatMap(({ tokens }) => tokens) }
  })
  const { chains, tokens } = value ?? { chains: [], tokens: [] }
  const tokensOf = (chainId: number) => tokens.filter((token) => token.chainId === chainId)
  return {
    chains,
    tokensOf,
    isLoading,
    failure,
    symbolOf: (chainId, address) =>
      tokensOf(chainId).find((token) => isSameAddress(token.address, address))?.symbol ?? shortAddress(address)
  }
}
