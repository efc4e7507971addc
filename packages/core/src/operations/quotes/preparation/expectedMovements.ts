import type { Movement } from "../../../accounting/history/index.ts"
import type { FeePayment } from "../../../foundation/fees/index.ts"
import type { WalletAddress } from "../../../foundation/primitives/index.ts"
import {
  type ByToken,
  type Token,
  tokenKey,
  type UsdPriceE18,
  usdValueOrNull
} from "../../../foundation/tokens/index.ts"

/** An expected movement of a plan. */
export interface ExpectedMovement extends Pick<Movement, "account" | "counterparty" | "direction" | "role"> {
  readonly token: Token
  /** Base units. */
  readonly amount: bigint
}

/** Returns the fees that an account pays in a token. */
export const feeMovementsOf = (
  account: WalletAddress,
  token: Token,
  payments: ReadonlyArray<FeePayment>
): ReadonlyArray<ExpectedMovement> =>
  payments.map(({ amount, recipient }) => ({
    direction: "OUT",
    role: "FEE",
    account,
    token,
    amount,
    counterparty: recipient
  }))

/** Returns the expected movements of a transaction, with their values at the time of the quote. */
export const expectedMovements = (
  plannedMovements: ReadonlyArray<ExpectedMovement>,
  prices: ByToken<UsdPriceE18>
): ReadonlyArray<Movement> =>
  plannedMovements.map(({ amount, token, ...move }) => ({
    ...move,
    asset: { chainId: token.chainId, token: token.address },
    amount,
    usd: usdValueOrNull(amount, token, prices.get(tokenKey(token))),
    leg: 0
  }))
