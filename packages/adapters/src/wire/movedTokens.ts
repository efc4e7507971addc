import { isToken, type Transaction } from "@countersign/core/history"
import { Address } from "@countersign/core/primitives"
import type { TokenCatalog, TokenRef } from "@countersign/core/tokens"
import { Option, Schema } from "effect"
import { listedTokens } from "./listedTokens.ts"

const decodeDebt = Schema.decodeUnknownOption(Schema.Struct({ debtToken: Address }))

/** The token of a debt that a liquidation repaid: it moved nothing of the wallet. */
const lendingTokens = (lending: unknown, chainId: Transaction["chainIdIn"]): ReadonlyArray<TokenRef> => {
  const debt = decodeDebt(lending)
  return chainId === null || Option.isNone(debt) ? [] : [{ chainId, address: debt.value.debtToken }]
}

/** Every token that a transaction moved, should move or is charged. */
const tokensOf = ({ chainIdIn, details, expected, fees, movements }: Transaction): ReadonlyArray<TokenRef> => [
  ...lendingTokens(details.lending, chainIdIn),
  ...[...movements, ...expected].flatMap(({ asset }) =>
    isToken(asset) ? [{ chainId: asset.chainId, address: asset.token }] : []
  ),
  ...fees.map(({ chainId, token }) => ({ chainId, address: token }))
]

/** A look-up among the tokens of these transactions. */
export const movedTokens = (catalog: TokenCatalog["Service"], transactions: ReadonlyArray<Transaction>) =>
  listedTokens(catalog, transactions.flatMap(tokensOf))
