import type { Transaction } from "@countersign/core/accounting/history"
import { type Asset, isToken, type TokenCatalog, type TokenRef } from "@countersign/core/foundation/tokens"
import { lendingDetails } from "@countersign/core/trading/lending"
import { listedTokenFinder } from "./listedTokens.ts"

/**
 * Returns the token of the debt that a liquidation repaid. The repayment is not a movement of the wallet, so `tokensOf`
 * does not find this token in the movements.
 */
const repaidTokens = (transaction: Transaction): ReadonlyArray<TokenRef> => {
  const repaidToken = lendingDetails.in(transaction)?.repaid ?? null
  return repaidToken === null || transaction.chainIdIn === null
    ? []
    : [{ chainId: transaction.chainIdIn, address: repaidToken.token }]
}

const tokensOfAsset = (asset: Asset): ReadonlyArray<TokenRef> =>
  isToken(asset) ? [{ chainId: asset.chainId, address: asset.token }] : []

/**
 * Returns the tokens in a transaction's movements, expected movements and fees, and the repaid token of a liquidation.
 */
const tokensOf = (transaction: Transaction): ReadonlyArray<TokenRef> => [
  ...repaidTokens(transaction),
  ...[...transaction.movements, ...transaction.expected].flatMap(({ asset }) => tokensOfAsset(asset)),
  ...transaction.fees.flatMap(tokensOfAsset)
]

export const movedTokenFinder = (catalog: TokenCatalog["Service"], transactions: ReadonlyArray<Transaction>) =>
  listedTokenFinder(catalog, transactions.flatMap(tokensOf))
