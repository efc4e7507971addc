import type { Transaction } from "@countersign/core/accounting/history"
import { type Asset, isToken, type TokenCatalog, type TokenRef } from "@countersign/core/foundation/tokens"
import { lendingDetails } from "@countersign/core/trading/lending"
import { listedTokens } from "./listedTokens.ts"

/** The token of a debt that a liquidation repaid: it moved nothing of the wallet. */
const repaidTokens = (transaction: Transaction): ReadonlyArray<TokenRef> => {
  const repaid = lendingDetails.in(transaction)?.repaid ?? null
  return repaid === null || transaction.chainIdIn === null
    ? []
    : [{ chainId: transaction.chainIdIn, address: repaid.token }]
}

const tokenOf = (asset: Asset): ReadonlyArray<TokenRef> =>
  isToken(asset) ? [{ chainId: asset.chainId, address: asset.token }] : []

/** Every token that a transaction moved, should move or is charged. */
const tokensOf = (transaction: Transaction): ReadonlyArray<TokenRef> => [
  ...repaidTokens(transaction),
  ...[...transaction.movements, ...transaction.expected].flatMap(({ asset }) => tokenOf(asset)),
  ...transaction.fees.flatMap(tokenOf)
]

/** A look-up among the tokens of these transactions. */
export const movedTokens = (catalog: TokenCatalog["Service"], transactions: ReadonlyArray<Transaction>) =>
  listedTokens(catalog, transactions.flatMap(tokensOf))
