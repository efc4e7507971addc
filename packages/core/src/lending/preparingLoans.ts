import { Effect } from "effect"
import { Preparations, QuoteSettings } from "../quotes/index.ts"
import { quotedPrices, TokenPrices, tokenKey } from "../tokens/index.ts"
import { type GasLimits, inclusionGraceSeconds } from "../user-operations/index.ts"
import { healthWarnings } from "./healthBounds.ts"
import type { ResolvedOrder } from "./LendingOrder.ts"
import { payingAction, planLending } from "./LendingPlan.ts"
import { LendingSettings } from "./LendingSettings.ts"
import { lendingActions } from "./LendingType.ts"
import { explainedRevert } from "./lendingRevert.ts"
import { repaidOf, repaymentWarnings, shortfallOf } from "./repayment.ts"

/** A generous gas limit for two legs with their approvals, of a wallet that is not deployed. */
const provisionalLimits: GasLimits = {
  callGasLimit: 1_200_000n,
  verificationGasLimit: 350_000n,
  preVerificationGas: 70_000n,
  paymasterVerificationGasLimit: 60_000n,
  paymasterPostOpGasLimit: 80_000n
}

/** Interest accrues once in a block: in one that has it already, calls take less gas than in a later one. */
const INTEREST_GAS = 60_000n

/**
 * Prepares the operation of an order by two round trips: the state of the account and of the market, then the run of the
 * operation and of its legs.
 */
export const preparingLoans = Effect.gen(function* () {
  const preparations = yield* Preparations
  const prices = yield* TokenPrices
  const settings = yield* LendingSettings
  const { quoteSeconds } = yield* QuoteSettings
  return Effect.fnUntraced(function* (order: ResolvedOrder) {
    const { chainId, legs, payGasFeeToken, provider, request, wallet } = order
    const legTokens = lendingActions.flatMap((action) => legs[action]?.token ?? [])
    const account = {
      chainId,
      account: wallet.account,
      payGasFeeToken,
      tokens: legTokens.map(({ address }) => address)
    }
    const terms = yield* Effect.catchTag(
      preparations.gasTerms({ ...account, projectId: order.project.id }),
      "BAD_REQUEST",
      (refusal) => Effect.fail(refusal.withPaths(() => "gas.tokenAddress"))
    )
    const [context, offer, quoted] = yield* Effect.all(
      [
        preparations.open(account, terms),
        provider.offer({ chainId, account: wallet.account.address, legs }),
        quotedPrices(prices, chainId, [...legTokens, payGasFeeToken])
      ],
      { concurrency: 3 }
    )
    const paying = payingAction(request, legs, payGasFeeToken)
    // The last block that can have the operation, if it is signed as the quote ends.
    const latest = context.state.blockTimestamp + quoteSeconds + inclusionGraceSeconds(chainId)
    const debt = { now: offer.amountOf("repay", "MAX"), later: offer.debtAtRoundingUp(latest) }
    const preparing = preparations.prepare(context, {
      provisionalLimits,
      laterCallGas: INTEREST_GAS,
      plan: planLending(offer, legs, paying, payGasFeeToken),
      spends: ({ legs: { repay, supply } }) => [
        ...(supply === undefined || supply.amount === "MAX" ? [] : [{ token: supply.token, amount: supply.amount }]),
        ...(repay === undefined ? [] : [{ token: repay.token, amount: repaidOf(repay, debt) }])
      ]
    })
    // Where gas does not change the calls, both are asked at once.
    const [prepared, early] = yield* Effect.all(
      [preparing, paying === null ? offer.outcome(offer.calls(legs)) : Effect.succeed(null)],
      { concurrency: 2 }
    )
    const { plan, simulation } = prepared.operation
    const outcome = early ?? (yield* offer.outcome(plan.calls))
    const balance = legs.repay === undefined ? 0n : (context.state.balances.get(tokenKey(legs.repay.token)) ?? 0n)
    const revert = explainedRevert(
      simulation.revert,
      offer.obstacles(plan.legs),
      shortfallOf(legs.repay, debt, balance)
    )
    const explained = {
      ...prepared,
      operation: { ...prepared.operation, simulation: { ...simulation, revert } }
    }
    const warnings = [
      ...quoted.warnings,
      ...repaymentWarnings(plan.legs.repay, debt),
      ...healthWarnings(outcome, settings)
    ]
    return { prepared: explained, offer, outcome, quoted: { ...quoted, warnings } }
  })
})
