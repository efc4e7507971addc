import { useState } from "preact/hooks"
import type { Client } from "../../src/client/index.ts"
import { useBalances } from "./useBalances.ts"
import { useCatalog } from "./useCatalog.ts"

/** The chains and tokens of a smart wallet with its balances. Call `refresh` when an operation has ended. */
export const useWalletTokens = (client: Client, wallet: string) => {
  const catalog = useCatalog(client)
  const [version, setVersion] = useState(0)
  const balanceOf = useBalances(client, wallet, version)
  return { catalog, balanceOf, refresh: () => setVersion((before) => before + 1) }
}
