import type { EvmChainId } from "@countersign/core/foundation/chains"
import { MAX_UINT256, minBigInt } from "@countersign/core/foundation/primitives"
import type {
  LendingAction,
  LendingLegs,
  LendingMarket,
  LendingOffer,
  LendingTerms
} from "@countersign/core/trading/lending"
import { Cache, Effect } from "effect"
import { lendingOf } from "../../../chains/deployments/index.ts"
import { RpcClients } from "../../../chains/evm/index.ts"
import { debtAfterRoundingUp } from "../debt.ts"
import { aaveCalls } from "./aaveCalls.ts"
import { aaveConflicts } from "./aaveConflicts.ts"
import { readMarkets, readPositions } from "./aaveLists.ts"
import { outcomeOf } from "./aaveOutcome.ts"
import { refusalOf } from "./aaveRefusal.ts"
import { type AaveState, readAaveState } from "./aaveState.ts"
import { aaveLiquidations } from "./liquidations.ts"
import { type Reserve, readReserves } from "./Reserve.ts"
import { userReserves } from "./reserveConfiguration.ts"

const RAY_TO_E18 = 10n ** 9n

/** How long the list of reserves is cached. Reserves are added and removed only occasionally. */
const RESERVES_FOR = "10 minutes"

/** Returns the reserves that may be collateral of the wallet after the legs. */
const collateralCandidates = ({ userWord }: AaveState, legs: LendingLegs, reserves: ReadonlyArray<Reserve>) => {
  const { collateralIds } = userReserves(userWord)
  return reserves.filter(({ asset, id }) => collateralIds.includes(id) || asset === legs.supply?.token.address)
}

/**
 * Returns the amount of a leg. The pool takes at most the debt, and interprets the maximum uint256 as the entire debt
 * or balance.
 */
const amountOf = (action: LendingAction, amount: bigint | "MAX", { legs }: AaveState): bigint => {
  const requestedAmount = amount === "MAX" ? MAX_UINT256 : amount
  const { debt = 0n } = legs.repay ?? {}
  if (action === "repay") return debt === 0n && amount !== "MAX" ? amount : minBigInt(requestedAmount, debt)
  return action === "withdraw" && requestedAmount === MAX_UINT256 ? (legs.withdraw?.supplied ?? 0n) : requestedAmount
}

const offerOf = (
  rpc: RpcClients["Service"],
  order: LendingTerms,
  state: AaveState,
  reserves: ReadonlyArray<Reserve>
): LendingOffer => {
  const { account, chainId, legs } = order
  const { pool } = lendingOf(chainId).aaveV3
  const candidates = collateralCandidates(state, legs, reserves)
  const { repay, supply, withdraw } = state.legs
  const amountIn = (action: LendingAction, amount: bigint | "MAX") => amountOf(action, amount, state)
  return {
    marketId: null,
    side: "COLLATERAL",
    contract: pool,
    // One aToken represents one unit of its reserve's token.
    receiptOf: (action, amount) => {
      const { aToken, decimals } = (action === "supply" ? supply : withdraw)!.reserve
      return { token: aToken, amount: amountIn(action, amount), decimals }
    },
    amountOf: amountIn,
    debtAtRoundingUp: (unixSeconds) =>
      repay === undefined
        ? 0n
        : debtAfterRoundingUp(
            repay.debt,
            repay.data.currentVariableBorrowRate / RAY_TO_E18,
            unixSeconds - state.timestamp
          ),
    marketTokenOf: (token) => token,
    noticesOf: () => [],
    buildCalls: (plannedLegs) =>
      aaveCalls(plannedLegs, { pool, account, allowanceOf: (action) => state.legs[action]?.allowance ?? 0n }),
    simulateOutcome: (calls) =>
      rpc.call(chainId, (client) => outcomeOf(client, order, candidates, state.isInEMode, calls)),
    conflictsOf: (plannedLegs) => aaveConflicts(plannedLegs, state)
  }
}

/** Creates the lending market for Aave V3's main market on each chain. */
export const make: Effect.Effect<LendingMarket, never, RpcClients> = Effect.gen(function* () {
  const rpc = yield* RpcClients
  const reserveCache = yield* Cache.make({
    capacity: 16,
    timeToLive: RESERVES_FOR,
    lookup: (chainId: EvmChainId) =>
      rpc.call(chainId, (client) => readReserves(client, chainId, lendingOf(chainId).aaveV3))
  })
  const reservesOf = (chainId: EvmChainId) =>
    // A failed request is not cached.
    Effect.tapError(Cache.get(reserveCache, chainId), () => Cache.invalidate(reserveCache, chainId))
  const market: LendingMarket = {
    id: "LENDING_PROVIDER_A",
    name: "Aave V3",
    serves: () => true,
    offer: Effect.fn("AaveV3.offer")(function* (order) {
      const { account, chainId, legs } = order
      const reserves = yield* reservesOf(chainId)
      const refusal = refusalOf(order, reserves)
      if (refusal !== null) return yield* refusal
      const { aaveV3 } = lendingOf(chainId)
      const state = yield* rpc.call(chainId, (client) =>
        readAaveState(client, chainId, aaveV3, account, legs, reserves)
      )
      return offerOf(rpc, order, state, reserves)
    }),
    listMarkets: Effect.fn("AaveV3.markets")(function* (chainId) {
      const reserves = yield* reservesOf(chainId)
      return yield* rpc.call(chainId, (client) => readMarkets(client, chainId, reserves))
    }),
    listPositions: Effect.fn("AaveV3.positions")(function* (chainId, account) {
      const reserves = yield* reservesOf(chainId)
      return yield* rpc.call(chainId, (client) => readPositions(client, chainId, account, reserves))
    }),
    listLiquidations: (search) => aaveLiquidations(rpc, search)
  }
  return market
})
