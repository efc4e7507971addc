import type { EvmChainId } from "../../chains/index.ts"
import type { Movement } from "../../history/index.ts"
import type { Address } from "../../primitives/index.ts"
import { type ByToken, type Token, tokenKey, type UsdPriceE18, usdValueOrNull } from "../../tokens/index.ts"

interface Move extends Pick<Movement, "account" | "counterparty" | "direction" | "role"> {
  readonly token: Token
  readonly amount: bigint
}

/** The expected movements, as quoted. */
export const expectedMovements = (
  chainId: EvmChainId,
  moves: ReadonlyArray<Move>,
  prices: ByToken<UsdPriceE18>
): ReadonlyArray<Movement> =>
  moves.map(({ amount, token, ...move }) => ({
    ...move,
    asset: { chainId, token: token.address },
    amount,
    usd: usdValueOrNull(amount, token, prices.get(tokenKey(token))),
    leg: 0
  }))

/** Both amounts in the order in which an answer names the tokens. */
export const named = <A>(isInOrder: boolean, { amount0, amount1 }: { readonly amount0: A; readonly amount1: A }) =>
  isInOrder ? { amount0, amount1 } : { amount0: amount1, amount1: amount0 }

/** A payment that an operation makes to somebody. */
export const outOf = (account: Address, token: Token, amount: bigint, role: Movement["role"], to: Address): Move => ({
  direction: "OUT",
  role,
  account,
  token,
  amount,
  counterparty: to
})
