import type { EvmChainId } from "@countersign/core/foundation/chains"
import { BadRequest } from "@countersign/core/foundation/errors"
import { Address } from "@countersign/core/foundation/primitives"
import type {
  LendingAction,
  LendingLeg,
  LendingMarket,
  LendingMarketInfo,
  LendingOffer,
  LendingPosition,
  LendingTerms
} from "@countersign/core/trading/lending"
import { Cache, Effect } from "effect"
import { lendingOf, type MorphoBlueDeployment } from "../../../chains/deployments/index.ts"
import { RpcClients } from "../../../chains/evm/index.ts"
import { debtAfterRoundingUp } from "../debt.ts"
import { allowanceRead } from "../reads.ts"
import { type Candidate, candidatesOf, chooseMarket } from "./chooseMarket.ts"
import { type MorphoMarket, readMorphoMarkets } from "./MorphoMarket.ts"
import { morphoCalls } from "./morphoCalls.ts"
import { morphoConflicts } from "./morphoConflicts.ts"
import { morphoLiquidations } from "./morphoLiquidations.ts"
import { SHARE_DIGITS, sharesRoundingDown, sharesRoundingUp } from "./morphoMath.ts"
import { healthFactorOf, outcomeOf } from "./morphoOutcome.ts"
import { type MorphoState, readMorphoStates } from "./morphoState.ts"

/** How long the list of markets is cached. Markets are created occasionally, and never change. */
const MARKETS_FOR = "10 minutes"

const ZERO_ADDRESS = Address.make("0x0000000000000000000000000000000000000000")

interface CandidateWithState extends Candidate {
  readonly state: MorphoState
}

const hasPosition =
  ({ legs }: LendingTerms) =>
  ({ side, state }: CandidateWithState): boolean => {
    if (legs.repay !== undefined) return state.borrowShares > 0n
    if (legs.withdraw !== undefined && side === "LOAN") return state.supplyShares > 0n
    return state.collateral > 0n
  }

const offerOf = (
  rpc: RpcClients["Service"],
  deployment: MorphoBlueDeployment,
  order: LendingTerms,
  { market, side, state }: CandidateWithState,
  timestamp: number,
  allowance: bigint
): LendingOffer => {
  const { account, chainId, legs } = order
  const { morpho } = deployment
  const amountOf = (action: LendingAction, amount: LendingLeg["amount"]): bigint => {
    if (amount !== "MAX") return amount
    if (action === "repay") return state.debt
    return side === "COLLATERAL" ? state.collateral : state.supplied
  }
  return {
    marketId: market.id,
    side,
    contract: morpho,
    receiptOf: (action, amount) => {
      const { decimals } = legs[action]!.token
      const token = morpho
      // Morpho Blue stores collateral as a token amount, not as shares.
      if (side === "COLLATERAL") return { token, amount: amountOf(action, amount), decimals }
      const shares =
        amount === "MAX"
          ? state.supplyShares
          : action === "supply"
            ? sharesRoundingDown(amount, state.totals)
            : sharesRoundingUp(amount, state.totals)
      return { token, amount: shares, decimals: decimals + SHARE_DIGITS }
    },
    amountOf,
    debtAtRoundingUp: (unixSeconds) => debtAfterRoundingUp(state.debt, state.borrowRateE18, unixSeconds - timestamp),
    marketTokenOf: (token) => token,
    noticesOf: () => [],
    buildCalls: (plannedLegs) => morphoCalls(plannedLegs, { morpho, account, market, side, state, allowance }),
    simulateOutcome: (calls) =>
      rpc.call(chainId, (client) => outcomeOf(client, deployment, order, { market, side }, calls)),
    conflictsOf: (plannedLegs) => morphoConflicts(plannedLegs, state, market, side)
  }
}

const marketInfo = ({ id, params }: MorphoMarket, state: MorphoState): LendingMarketInfo => ({
  marketId: id,
  loanToken: params.loanToken,
  collateralToken: params.collateralToken,
  // The maximum loan-to-value ratio of a new loan equals the liquidation threshold.
  ltvE18: params.lltv,
  liquidationThresholdE18: params.lltv,
  supplyRateE18: state.supplyRateE18,
  borrowRateE18: state.borrowRateE18,
  supplied: state.totals.totalSupplyAssets,
  borrowed: state.totals.totalBorrowAssets,
  available: state.available,
  supplyCap: null,
  borrowCap: null,
  canSupply: true,
  canBorrow: state.price !== null
})

const positionsOf = (market: MorphoMarket, state: MorphoState): ReadonlyArray<LendingPosition> => {
  const { collateralToken, loanToken } = market.params
  const sharedFields = { marketId: market.id, healthFactorE18: healthFactorOf(state, market) }
  const position = (
    type: LendingPosition["type"],
    token: Address,
    amount: bigint,
    isCollateral: boolean
  ): ReadonlyArray<LendingPosition> => (amount === 0n ? [] : [{ ...sharedFields, type, token, amount, isCollateral }])
  return [
    ...position("supply", collateralToken, state.collateral, true),
    ...position("supply", loanToken, state.supplied, false),
    ...position("borrow", loanToken, state.debt, false)
  ]
}

/** Creates the lending market for the Morpho Blue markets in the deployment data. */
export const make: Effect.Effect<LendingMarket, never, RpcClients> = Effect.gen(function* () {
  const rpc = yield* RpcClients
  const marketCache = yield* Cache.make({
    capacity: 16,
    timeToLive: MARKETS_FOR,
    lookup: (chainId: EvmChainId) => {
      const deployment = lendingOf(chainId).morphoBlue
      return deployment === null
        ? Effect.succeed([])
        : rpc.call(chainId, (client) => readMorphoMarkets(client, chainId, deployment))
    }
  })
  const marketsOf = (chainId: EvmChainId) =>
    // A failed request is not cached.
    Effect.tapError(Cache.get(marketCache, chainId), () => Cache.invalidate(marketCache, chainId))

  const statesOf = Effect.fnUntraced(function* (chainId: EvmChainId, account: Address) {
    const deployment = lendingOf(chainId).morphoBlue
    const markets = yield* marketsOf(chainId)
    if (deployment === null || markets.length === 0) return []
    const { states } = yield* rpc.call(chainId, (client) =>
      readMorphoStates(client, chainId, deployment, account, markets)
    )
    return markets.map((market, i) => ({ market, state: states[i]! }))
  })

  const market: LendingMarket = {
    id: "LENDING_PROVIDER_B",
    name: "Morpho Blue",
    serves: (chainId) => lendingOf(chainId).morphoBlue !== null,
    offer: Effect.fn("MorphoBlue.offer")(function* (order) {
      const { account, chainId, legs } = order
      const deployment = lendingOf(chainId).morphoBlue
      if (deployment === null) return yield* Effect.die(new Error(`Morpho Blue is not deployed on chain ${chainId}`))
      const candidates = candidatesOf(order, yield* marketsOf(chainId))
      if (candidates instanceof BadRequest) return yield* candidates
      const paidLeg = legs.supply ?? legs.repay
      const allowances = paidLeg === undefined ? [] : [allowanceRead(paidLeg.token.address, account, deployment.morpho)]
      const { others, states, timestamp } = yield* rpc.call(chainId, (client) =>
        readMorphoStates(
          client,
          chainId,
          deployment,
          account,
          candidates.map((candidate) => candidate.market),
          allowances
        )
      )
      const candidatesWithState = candidates.map(
        (candidate, i): CandidateWithState => ({ ...candidate, state: states[i]! })
      )
      const chosenMarket = chooseMarket(order, candidatesWithState, hasPosition(order))
      if (chosenMarket instanceof BadRequest) return yield* chosenMarket
      return offerOf(rpc, deployment, order, chosenMarket, timestamp, others[0] ?? 0n)
    }),
    listMarkets: (chainId) =>
      Effect.map(statesOf(chainId, ZERO_ADDRESS), (marketStates) =>
        marketStates.map((one) => marketInfo(one.market, one.state))
      ),
    listPositions: (chainId, account) =>
      Effect.map(statesOf(chainId, account), (marketStates) =>
        marketStates.flatMap((one) => positionsOf(one.market, one.state))
      ),
    listLiquidations: Effect.fn("MorphoBlue.liquidations")(function* (search) {
      const deployment = lendingOf(search.chainId).morphoBlue
      if (deployment === null) return []
      return yield* morphoLiquidations(rpc, search, deployment, yield* marketsOf(search.chainId))
    })
  }
  return market
})
