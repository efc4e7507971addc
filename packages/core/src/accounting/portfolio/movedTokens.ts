import { DateTime, Effect, Option } from "effect"
import type { WalletAddress } from "../../foundation/primitives/index.ts"
import { isToken, type Token, TokenCatalog, tokenKey } from "../../foundation/tokens/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { movementsOf, type RecordedMovement, usdE6Of } from "../history/index.ts"
import type { ValuedMovement } from "./profit.ts"

/** A listed token that an account has moved, with its movements, oldest first. */
export interface MovedToken {
  readonly token: Token
  readonly movements: ReadonlyArray<ValuedMovement>
}

/** Returns a list with the movement and its token, or an empty list for a fiat movement. */
const movementWithToken = ({ at, movement }: RecordedMovement) => {
  const { amount, asset, direction, usd } = movement
  if (!isToken(asset)) return []
  const valuedMovement: ValuedMovement = {
    direction,
    amount,
    usdE6: usd === null ? null : usdE6Of(usd),
    atMs: DateTime.toEpochMillis(at)
  }
  return [{ ref: { chainId: asset.chainId, address: asset.token }, valued: valuedMovement }]
}

/** Returns the listed tokens that an account has moved in a project. */
export const movedTokens = Effect.fnUntraced(function* (projectId: ProjectId, account: WalletAddress) {
  const catalog = yield* TokenCatalog
  const movements = (yield* movementsOf(projectId, account))
    // The seized collateral was not in the wallet. It left the wallet when it was supplied.
    .filter(({ type }) => type !== "LENDING_LIQUIDATION")
    .flatMap(movementWithToken)
  const movementsByToken = Map.groupBy(movements, ({ ref }) => tokenKey(ref))
  const tokensWithMovements = yield* Effect.forEach(movementsByToken.values(), (group) => {
    const { address, chainId } = group[0]!.ref
    return Effect.map(
      catalog.find(chainId, address),
      Option.map((token): MovedToken => ({ token, movements: group.map(({ valued }) => valued) }))
    )
  })
  return tokensWithMovements.filter(Option.isSome).map(({ value }) => value)
})
