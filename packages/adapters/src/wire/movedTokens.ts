import { isToken, type Transaction } from "@countersign/core/history"
import type { TokenCatalog, TokenRef } from "@countersign/core/tokens"
import { listedTokens } from "./listedTokens.ts"

/** Every token that a transaction moved, should move or is charged. */
const tokensOf = ({ expected, fees, movements }: Transaction): ReadonlyArray<TokenRef> => [
  ...[...movements, ...expected].flatMap(({ asset }) =>
    isToken(asset) ? [{ chainId: asset.chainId, address: asset.token }] : []
  ),
  ...fees.map(({ chainId, token }) => ({ chainId, address: token }))
]

/** A look-up among the tokens of these transactions. */
export const movedTokens = (catalog: TokenCatalog["Service"], transactions: ReadonlyArray<Transaction>) =>
  listedTokens(catalog, transactions.flatMap(tokensOf))
