import type { Client } from "../../src/client/index.ts"
import { useLoad } from "../useLoad.ts"
import { isSameAddress } from "../words.ts"

/** Returns the balance of a token as a decimal amount. Null while it is loading, or if the chain could not be read. */
export type BalanceOf = (chainId: number, token: string) => string | null

/** Reads the balances of a wallet, and reads them again whenever `version` changes. */
export const useBalances = (client: Client, wallet: string, version: number): BalanceOf => {
  const { value } = useLoad(`${wallet} ${version}`, (signal) =>
    client.portfolio.get(wallet, { includeTokens: true }, { signal })
  )
  return (chainId, address) => {
    if (value === undefined || value.unread.some(({ chain }) => chain.id === chainId)) return null
    const heldToken = value.tokens.find((token) => token.chain.id === chainId && isSameAddress(token.address, address))
    return heldToken?.balanceFormatted ?? "0"
  }
}
