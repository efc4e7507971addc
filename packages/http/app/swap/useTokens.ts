import { useState } from "preact/hooks"
import type { Chain, Client, Token } from "../../src/client/index.ts"
import { useLoad } from "../useLoad.ts"
import { sameAddress, shortAddress } from "../words.ts"

const TOKENS_MAX = 100

export interface Catalog {
  readonly chains: ReadonlyArray<Chain>
  readonly chainId: number | undefined
  readonly choose: (chainId: number) => void
  /** Of the chosen chain. */
  readonly tokens: ReadonlyArray<Token>
  readonly failure: unknown
  /** A token's symbol, or its address where it is not listed. */
  readonly symbolOf: (address: string) => string
}

const ETHEREUM = 1

const BITCOIN = 0

/** The chains on which a smart wallet swaps, one of them chosen, and its tokens. */
export const useTokens = (client: Client): Catalog => {
  const chains = useLoad("chains", (signal) => client.catalog.chains({ signal }))
  const [chosen, choose] = useState<number>()
  const served = (chains.value ?? []).filter(({ id }) => id !== BITCOIN)
  const chainId = chosen ?? (served.find(({ id }) => id === ETHEREUM) ?? served[0])?.id
  const tokens = useLoad(`${chainId}`, async (signal) =>
    chainId === undefined
      ? []
      : (await client.catalog.tokens({ chains: [chainId as 1], perPage: TOKENS_MAX }, { signal })).tokens
  )
  const listed = tokens.value?.filter((token) => token.chainId === chainId) ?? []
  return {
    chains: served,
    chainId,
    choose,
    tokens: listed,
    failure: chains.failure ?? tokens.failure,
    symbolOf: (address) => listed.find((token) => sameAddress(token.address, address))?.symbol ?? shortAddress(address)
  }
}
