import { chainOf } from "@countersign/core/foundation/chains"
import { BadRequest } from "@countersign/core/foundation/errors"
import type { Address } from "@countersign/core/foundation/primitives"
import {
  type LendingAction,
  type LendingLegs,
  type LendingSide,
  type LendingTerms,
  lendingActions
} from "@countersign/core/trading/lending"
import { deploymentOf } from "../../../chains/deployments/index.ts"
import type { MorphoMarket } from "./MorphoMarket.ts"

/** A market, and its side for the `supply` or `withdraw` leg. */
export interface Candidate {
  readonly market: MorphoMarket
  readonly side: LendingSide
}

const symbolOf = (chainId: LendingTerms["chainId"], token: Address): string =>
  deploymentOf(chainId).tokens.find(({ address }) => address === token)?.symbol ?? token

const nameOf = (chainId: LendingTerms["chainId"], { id, params }: MorphoMarket): string =>
  `${symbolOf(chainId, params.collateralToken)} for ${symbolOf(chainId, params.loanToken)} (${id})`

const requestedActions = (legs: LendingLegs): ReadonlyArray<LendingAction> =>
  lendingActions.filter((action) => legs[action] !== undefined)

/** Whether the tokens of the legs are the market's tokens for this side. */
const matchesTokens = (legs: LendingLegs, { market: { params }, side }: Candidate): boolean =>
  requestedActions(legs).every((action) => {
    const isLoan = action === "borrow" || action === "repay" || side === "LOAN"
    return legs[action]!.token.address === (isLoan ? params.loanToken : params.collateralToken)
  })

/** Whether no leg requests another market by its id. */
const matchesMarketId = (legs: LendingLegs, { market: { id } }: Candidate): boolean =>
  requestedActions(legs).every((action) => (legs[action]!.marketId ?? id) === id)

/**
 * Returns the possible sides of the supply or withdrawal. In an operation with a loan, the supplied or withdrawn token
 * is the collateral.
 */
const sidesOf = ({ borrow, repay, supply, withdraw }: LendingLegs): ReadonlyArray<LendingSide> => {
  const requestedSide = (supply ?? withdraw)?.side ?? null
  if (requestedSide !== null) return [requestedSide]
  return (supply ?? withdraw) === undefined || borrow !== undefined || repay !== undefined
    ? ["COLLATERAL"]
    : ["COLLATERAL", "LOAN"]
}

/** Returns the markets that match a lending request. A supply without a `side` is used as collateral if possible. */
export const candidatesOf = (
  { chainId, legs }: LendingTerms,
  markets: ReadonlyArray<MorphoMarket>
): ReadonlyArray<Candidate> | BadRequest => {
  const candidates = sidesOf(legs).flatMap((side) =>
    markets.map((market): Candidate => ({ market, side })).filter((candidate) => matchesTokens(legs, candidate))
  )
  const matchingCandidates = candidates.filter((candidate) => matchesMarketId(legs, candidate))
  const preferredCandidates =
    legs.supply !== undefined && matchingCandidates.some(({ side }) => side === "COLLATERAL")
      ? matchingCandidates.filter(({ side }) => side === "COLLATERAL")
      : matchingCandidates
  if (preferredCandidates.length > 0) return preferredCandidates
  const actions = requestedActions(legs)
  // The tokens match a market, so the requested market id must be wrong.
  const actionWithMarket =
    candidates.length === 0 ? undefined : actions.find((action) => legs[action]!.marketId !== null)
  const path =
    actionWithMarket === undefined ? `${actions[0] ?? "supply"}.tokenAddress` : `${actionWithMarket}.marketId`
  const offeredMarkets = markets.map((market) => nameOf(chainId, market)).join(", ")
  const message = `Morpho Blue on ${chainOf(chainId).name} has no matching market. Supported markets: ${offeredMarkets === "" ? "none" : offeredMarkets}. The first token of each market is its collateral, the second is lent.`
  return BadRequest.of(path, "no_market", message)
}

/** Selects the only market that matches, or the only one in which the wallet has a relevant position. */
export const chooseMarket = <C extends Candidate>(
  { chainId, legs }: LendingTerms,
  candidates: ReadonlyArray<C>,
  hasPosition: (candidate: C) => boolean
): C | BadRequest => {
  const [only, ...others] = candidates
  if (only !== undefined && others.length === 0) return only
  const candidatesWithPosition = legs.supply === undefined ? candidates.filter(hasPosition) : []
  if (candidatesWithPosition.length === 1) return candidatesWithPosition[0]!
  const [action = "supply"] = requestedActions(legs)
  const list = candidates.map(({ market, side }) => `${nameOf(chainId, market)} as ${side}`).join(", ")
  return BadRequest.of(
    `${action}.marketId`,
    "several_markets",
    `Several markets of Morpho Blue match: ${list}. Select one with marketId, and also with side if both sides of a market match.`
  )
}
