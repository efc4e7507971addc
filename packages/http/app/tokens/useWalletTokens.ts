import { useState } from "preact/hooks"
import type { Client } from "../../src/client/index.ts"
import { useBalances } from "./useBalances.ts"
import { useCatalog } from "./useCatalog.ts"

/** Loads the chains, tokens and balances of a smart wallet. Call `refresh` when an operation has ended. */
export const useWalletTokens = (client: Client, wallet: string) => {
  const catalog = useCatalog(client)
  const [version, setVersion] = useState(0)
  const balanceOf = useBalances(client, wallet, version)
  return { catalog, balanceOf, refresh: () => setVersion((before) => before + 1) }
}
