import { percentRoundingDown } from "./amounts.ts"
import { NATIVE } from "./contracts.ts"
import type { Ledger } from "./ledger.ts"
import { type AmountPair, maxBurnAmounts, minBurnAmounts, minMintAmounts, pricesOf } from "./liquidityMath.ts"
import type { HeldAmount, PoolKey, PositionAct } from "./PositionAct.ts"
import { fractionOf, type Ticks } from "./prices.ts"
import type { LiquidityTerms, RequestedDeposit, RequestedWithdrawal } from "./requestTerms.ts"
import type { Report } from "./shapes.ts"

/** Checks that the calls to the position manager are exactly the requested ones, each once and in order. */

type ActOf<Does extends PositionAct["does"]> = Extract<PositionAct, { does: Does }>

/** Builds a function that removes and returns the next act if it has this type; otherwise it returns null. */
const nextOf =
  (openActs: Array<PositionAct>) =>
  <Does extends PositionAct["does"]>(does: Does): ActOf<Does> | null =>
    openActs[0]?.does === does ? (openActs.shift() as ActOf<Does>) : null

const isSamePool = (a: PoolKey, b: PoolKey): boolean =>
  a.token0 === b.token0 && a.token1 === b.token1 && a.fee === b.fee

const areSameTicks = (a: Ticks, b: Ticks): boolean => a.tickLower === b.tickLower && a.tickUpper === b.tickUpper

const isLess = (a: AmountPair, b: AmountPair): boolean => a[0] < b[0] || a[1] < b[1]

interface WithdrawalActs {
  readonly decrease: ActOf<"DECREASE"> | null
  readonly collect: ActOf<"COLLECT"> | null
  readonly burn: ActOf<"BURN"> | null
}

const checkDecrease = (
  { liquidity, shown, ticks }: RequestedWithdrawal,
  slippage: number,
  withdrawalActs: WithdrawalActs,
  report: Report
): void => {
  const path = "decreaseLiquidity"
  const { minAmounts = [0n, 0n] as AmountPair, liquidity: decreasedLiquidity = 0n } = withdrawalActs.decrease ?? {}
  if (decreasedLiquidity > liquidity) {
    report("pays_too_much", path, `The call removes ${decreasedLiquidity} liquidity; ${liquidity} was requested.`)
  } else if (decreasedLiquidity < liquidity) {
    report("gives_too_little", path, `The call removes ${decreasedLiquidity} liquidity; ${liquidity} was requested.`)
  }
  if (shown.liquidity !== null && shown.liquidity !== decreasedLiquidity) {
    report(
      "wrong_echo",
      "liquidity",
      `The quote displays ${shown.liquidity} liquidity, but the signed call removes ${decreasedLiquidity}.`
    )
  }
  const prices = pricesOf(ticks, decreasedLiquidity, shown.removed)
  if (prices === null) {
    report("wrong_echo", "removed", "At no price does the removed liquidity correspond to the quoted amounts.")
  } else if (isLess(minAmounts, minBurnAmounts(ticks, prices, fractionOf(slippage), decreasedLiquidity))) {
    report("gives_too_little", path, "The minimum amounts of the call are lower than the slippage allows.")
  }
}

const checkWithdrawal = (
  withdrawal: RequestedWithdrawal,
  slippage: number,
  withdrawalActs: WithdrawalActs,
  report: Report
): void => {
  const { burn, collect, decrease } = withdrawalActs
  const { isAll, shown, tokenId } = withdrawal
  for (const act of [decrease, collect, burn]) {
    if (act !== null && act.tokenId !== tokenId) {
      report("wrong_position", "tokenId", `The call is for position ${act.tokenId}; ${tokenId} was requested.`)
    }
  }
  checkDecrease(withdrawal, slippage, withdrawalActs, report)
  if (isLess(shown.collected, shown.removed)) {
    report("wrong_echo", "collected", "The quoted collected amount is less than the quoted removed amount.")
  }
  if (collect?.isWhole !== true)
    report("gives_too_little", "collect", "The operation does not collect all tokens that the position owes.")
  if (burn !== null && !isAll) report("pays_too_much", "burn", "The NFT is burned, but it should remain.")
  if (burn === null && isAll)
    report("gives_too_little", "burn", "The NFT is not burned, so tokens may remain in the position.")
  if (shown.burned !== null && shown.burned !== (burn !== null)) {
    report("wrong_echo", "burned", `The quote states ${shown.burned}, but the signed calls do the opposite.`)
  }
}

/** Compares one side of a deposit with the amount that the quote displays. */
const checkDepositAmount = (
  { enforced, known, promised }: HeldAmount,
  shownAmount: bigint,
  slippage: number,
  name: string,
  report: Report
): void => {
  const swappedAmount = shownAmount - known - promised
  if (swappedAmount < enforced) {
    report("wrong_echo", name, `The quote states ${shownAmount} base units, but the calls guarantee more.`)
  } else if (enforced < swappedAmount - percentRoundingDown(swappedAmount, slippage) - 1n) {
    report(
      "gives_too_little",
      name,
      `Swaps enforce ${enforced} of ${swappedAmount} base units, which is less than the slippage allows.`
    )
  }
}

const checkAmounts = (
  { minAmounts, held }: ActOf<"MINT"> | ActOf<"INCREASE">,
  { shown }: RequestedDeposit,
  slippage: number,
  report: Report
): void => {
  for (const i of [0, 1] as const) {
    checkDepositAmount(held[i], shown.amounts[i] + shown.leftovers[i], slippage, `amount of token${i}`, report)
  }
  const prices = pricesOf(shown, shown.liquidity, shown.amounts)
  if (prices === null) {
    report("wrong_echo", "liquidity", "At no price does the added liquidity correspond to the quoted amounts.")
    return
  }
  const certainAmountOf = ({ enforced, known, promised }: HeldAmount): bigint => known + promised + enforced
  const certainAmounts: AmountPair = [certainAmountOf(held[0]), certainAmountOf(held[1])]
  if (isLess(minAmounts, minMintAmounts(shown, prices, fractionOf(slippage), certainAmounts))) {
    report("gives_too_little", "liquidity", "The minimum amounts of the deposit are lower than the slippage allows.")
  }
}

const checkNewPool = (
  createdPool: ActOf<"CREATE_POOL"> | null,
  { createsPool, pool, shown }: RequestedDeposit,
  report: Report
): void => {
  if ((createdPool !== null) !== createsPool) {
    report("wrong_echo", "poolCreated", `The quote states ${createsPool}, but the signed calls do the opposite.`)
  }
  if (createdPool === null) return
  if (!isSamePool(createdPool, pool)) report("wrong_position", "pool", "The call creates another pool than requested.")
  const prices = pricesOf(shown, shown.liquidity, shown.amounts)
  if (prices === null || createdPool.sqrtPriceX96 < prices[0] || createdPool.sqrtPriceX96 > prices[1]) {
    report("wrong_price", "pool", "The initial price of the created pool differs from the quote.")
  }
}

const checkMint = (
  mint: ActOf<"MINT">,
  { isRange, pool, recipient, shown }: RequestedDeposit,
  report: Report
): void => {
  if (!isSamePool(mint, pool))
    report("wrong_position", "pool", "The call creates the position in another pool than requested.")
  if (!isRange(mint)) report("wrong_position", "range", "The price range of the position differs from the request.")
  if (!areSameTicks(mint, shown))
    report("wrong_echo", "tickLower", "The ticks of the quote differ from the signed ticks.")
  if (mint.recipient !== recipient) {
    report("pays_somebody_else", "toAddress", `${mint.recipient} gets the NFT instead of ${recipient}.`)
  }
}

const checkIncrease = (
  { token0, token1, tokenId }: ActOf<"INCREASE">,
  { isRange, pool, shown, ticks, tokenId: requestedId }: RequestedDeposit,
  report: Report
): void => {
  if (tokenId !== requestedId)
    report("wrong_position", "tokenId", `The call adds liquidity to position ${tokenId}; ${requestedId} was requested.`)
  if (!isSamePool({ ...pool, token0, token1 }, pool))
    report("wrong_position", "pool", "The tokens of the call are not the tokens of the position.")
  if (!isRange(ticks!)) report("wrong_position", "range", "The requested price range is not the range of the position.")
  if (!areSameTicks(ticks!, shown))
    report("wrong_echo", "tickLower", "The ticks of the quote differ from the ticks of the position.")
}

const checkDeposit = (
  deposit: RequestedDeposit,
  createdPool: ActOf<"CREATE_POOL"> | null,
  depositAct: ActOf<"MINT"> | ActOf<"INCREASE"> | null,
  slippage: number,
  report: Report
): void => {
  checkNewPool(createdPool, deposit, report)
  if (depositAct === null) {
    report("gives_too_little", "liquidity", "No call of the operation adds liquidity to the position.")
    return
  }
  if (depositAct.does === "MINT") checkMint(depositAct, deposit, report)
  else checkIncrease(depositAct, deposit, report)
  checkAmounts(depositAct, deposit, slippage, report)
}

/**
 * Checks the swaps of complete balances in a rebalance. Their minimums correspond to the amounts that the quote states,
 * but the position can have more of the token, within the decrease's minimums.
 */
const checkSoldBalances = (
  { soldBalances, unknown, wrapped }: Ledger,
  { pool }: RequestedDeposit,
  { liquidity, shown: { removed }, ticks }: RequestedWithdrawal,
  decrease: ActOf<"DECREASE"> | null,
  slippage: number,
  report: Report
): void => {
  const maxAmounts = maxBurnAmounts(ticks, liquidity, decrease?.minAmounts ?? [0n, 0n])
  for (const { amount, token } of soldBalances) {
    const i = (token === NATIVE ? wrapped : token) === pool.token0 ? 0 : 1
    if (amount === 0n) {
      report("gives_too_little", `removed amount of token${i}`, `A router swaps ${token}, of which the quote states 0.`)
    } else if (maxAmounts[i] > removed[i] + percentRoundingDown(removed[i], slippage) + 1n) {
      unknown.add(
        `A router swaps its balance of ${token} for a minimum that corresponds to ${removed[i]} base units from the position. The position may have up to ${maxAmounts[i]} base units.`
      )
    }
  }
}

/** Returns the initial price of a new pool, in the request's price convention; null if the calls create no pool. */
export const startPriceIn = ({ positionActs }: Ledger, { placing }: LiquidityTerms): number | null => {
  const createAct = placing === null ? null : nextOf([...positionActs])("CREATE_POOL")
  return createAct === null ? null : placing!.priceOf(createAct.sqrtPriceX96)
}

export const checkLiquidity = (ledger: Ledger, { placing, slippage, taking }: LiquidityTerms, report: Report): void => {
  const { managed, positionActs } = ledger
  const openActs = [...positionActs]
  const nextAct = nextOf(openActs)
  const createAct = placing === null ? null : nextAct("CREATE_POOL")
  if (taking !== null) {
    const [decrease, collect, burn] = [nextAct("DECREASE"), nextAct("COLLECT"), nextAct("BURN")]
    checkWithdrawal(taking, slippage, { decrease, collect, burn }, report)
    if (placing !== null) checkSoldBalances(ledger, placing, taking, decrease, slippage, report)
  }
  if (placing !== null) {
    const depositAct = placing.tokenId === null ? nextAct("MINT") : nextAct("INCREASE")
    checkDeposit(placing, createAct, depositAct, slippage, report)
  }
  for (const token of managed) {
    if (placing === null || (token !== placing.pool.token0 && token !== placing.pool.token1))
      report(
        "unknown_call",
        "userOperations",
        `A router approves ${token} for the position manager, which is not a token of the position.`
      )
  }
  for (const { does } of openActs)
    report("unknown_call", "userOperations", `The operation contains a call that was not requested: ${does}.`)
}
