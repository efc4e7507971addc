import { type AbiValue, codec, makeCallDecoder } from "./abi.ts"
import { type Bytes, keccak, Unreadable } from "./bytes.ts"
import { NATIVE } from "./contracts.ts"
import type { GasLimits } from "./gas.ts"
import type { LendingAct, LendingAction } from "./LendingAct.ts"
import type { Ledger } from "./ledger.ts"
import type { LendingTerms } from "./requestTerms.ts"
import { hex, type List, number } from "./routerWords.ts"
import type { Report } from "./shapes.ts"

/** Records calls to lending protocols, and checks that they match the requested legs. */

const MAX_UINT = 2n ** 256n - 1n
const VARIABLE_RATE = 2n

const requireWallet = (ledger: Ledger, ...parties: ReadonlyArray<Bytes>): void => {
  for (const party of parties) {
    if (party !== ledger.wallet)
      ledger.report(
        "pays_somebody_else",
        `The call is for the position of ${party}, or pays ${party}, instead of the wallet.`
      )
  }
}

const amountOrMax = (amount: bigint): bigint | "MAX" => (amount === MAX_UINT ? "MAX" : amount)

type Reader = (ledger: Ledger, args: List) => Omit<LendingAct, "lender">

const requireVariableRate = (rate: AbiValue | undefined): void => {
  if (rate !== VARIABLE_RATE) throw new Unreadable("a loan does not use Aave's variable interest rate")
}

const aaveFields = { marketId: null, isCollateral: null, shares: null }

const aaveCalls: Readonly<Record<string, Reader>> = {
  "supply(address,uint256,address,uint16)": (ledger, [token, amount, owner]) => {
    requireWallet(ledger, hex(owner))
    return { action: "supply", token: hex(token), amount: number(amount), ...aaveFields }
  },
  "borrow(address,uint256,uint256,uint16,address)": (ledger, [token, amount, rate, , owner]) => {
    requireWallet(ledger, hex(owner))
    requireVariableRate(rate)
    return { action: "borrow", token: hex(token), amount: number(amount), ...aaveFields }
  },
  "repay(address,uint256,uint256,address)": (ledger, [token, amount, rate, owner]) => {
    requireWallet(ledger, hex(owner))
    requireVariableRate(rate)
    return { action: "repay", token: hex(token), amount: amountOrMax(number(amount)), ...aaveFields }
  },
  "withdraw(address,uint256,address)": (ledger, [token, amount, receiver]) => {
    requireWallet(ledger, hex(receiver))
    return { action: "withdraw", token: hex(token), amount: amountOrMax(number(amount)), ...aaveFields }
  }
}

const PARAMS = "(address,address,address,address,uint256)"
const paramsCodec = codec("address,address,address,address,uint256")

const marketOf = (market: List) => {
  const [loanToken, collateralToken] = market
  return {
    marketId: keccak(paramsCodec.encode(...market)),
    loanToken: hex(loanToken),
    collateralToken: hex(collateralToken)
  }
}

/**
 * Decodes the amount of a Morpho Blue call, which is either an amount or shares. A call for a complete deposit or debt
 * contains shares.
 */
const amountOrShares = (assets: bigint, shares: bigint): Pick<LendingAct, "amount" | "shares"> => {
  if (assets > 0n && shares > 0n) throw new Unreadable("a call to Morpho Blue contains both an amount and shares")
  return shares > 0n ? { amount: "MAX", shares } : { amount: assets, shares: null }
}

const requireNoCallback = (data: Bytes): void => {
  if (data !== "0x") throw new Unreadable("a call to Morpho Blue requests a callback")
}

/**
 * Builds a decoder for the functions on the loan side of a market. The arguments after the market are the amount, the
 * shares, the owner, and a receiver or callback data.
 */
const makeLoanSideReader =
  (action: LendingAction): Reader =>
  (ledger, [market, assets, shares, owner, receiverOrData]) => {
    const { loanToken, marketId } = marketOf(market as List)
    requireWallet(ledger, hex(owner))
    if (action === "borrow" || action === "withdraw") requireWallet(ledger, hex(receiverOrData))
    else requireNoCallback(hex(receiverOrData))
    return {
      action,
      token: loanToken,
      ...amountOrShares(number(assets), number(shares)),
      marketId,
      isCollateral: false
    }
  }

const morphoCalls: Readonly<Record<string, Reader>> = {
  [`supply(${PARAMS},uint256,uint256,address,bytes)`]: makeLoanSideReader("supply"),
  [`repay(${PARAMS},uint256,uint256,address,bytes)`]: makeLoanSideReader("repay"),
  [`borrow(${PARAMS},uint256,uint256,address,address)`]: makeLoanSideReader("borrow"),
  [`withdraw(${PARAMS},uint256,uint256,address,address)`]: makeLoanSideReader("withdraw"),
  [`supplyCollateral(${PARAMS},uint256,address,bytes)`]: (ledger, [market, amount, owner, data]) => {
    const { collateralToken, marketId } = marketOf(market as List)
    requireWallet(ledger, hex(owner))
    requireNoCallback(hex(data))
    return {
      action: "supply",
      token: collateralToken,
      amount: number(amount),
      marketId,
      isCollateral: true,
      shares: null
    }
  },
  [`withdrawCollateral(${PARAMS},uint256,address,address)`]: (ledger, [market, amount, owner, receiver]) => {
    const { collateralToken, marketId } = marketOf(market as List)
    requireWallet(ledger, hex(owner), hex(receiver))
    return {
      action: "withdraw",
      token: collateralToken,
      amount: number(amount),
      marketId,
      isCollateral: true,
      shares: null
    }
  }
}

const readers = { AAVE: makeCallDecoder(aaveCalls), MORPHO: makeCallDecoder(morphoCalls) }

/** Records a call to a lending protocol in the ledger. Returns false if the function is unknown. */
export const enterLendingCall = (ledger: Ledger, lender: Bytes, data: Bytes): boolean => {
  const call = readers[ledger.lenders[lender]!](data)
  if (call === null) return false
  const act = { lender, ...call.definition(ledger, call.args) }
  if (act.action === "supply" || act.action === "repay") ledger.lend(act.token, lender, act.amount)
  ledger.acts.push(act)
  return true
}

const textOf = ({ action, amount, token }: Pick<LendingAct, "action" | "amount" | "token">): string =>
  `${action} ${amount === "MAX" ? "everything" : `${amount} base units`} of ${token}`

/** Checks that the calls to lending protocols perform exactly the requested legs, each once. */
export const checkLending = (ledger: Ledger, terms: LendingTerms, gas: GasLimits, report: Report): void => {
  const { acts, lenders, wrapped } = ledger
  const { kind, legs, markets, shownMarket } = terms
  for (const { marketId } of acts) {
    if (marketId !== shownMarket)
      report("wrong_echo", "marketId", `The quote displays market ${shownMarket}, but the calls use ${marketId}.`)
  }
  const openActs = [...acts]
  if (new Set(acts.map(({ marketId }) => marketId)).size > 1)
    report("unknown_market", "userOperations", "The calls use different markets.")
  for (const leg of legs) {
    const wrappedIfNative = leg.token === NATIVE ? wrapped : leg.token
    const actIndex = openActs.findIndex(({ action, token }) => action === leg.action && token === wrappedIfNative)
    const [act] = actIndex < 0 ? [] : openActs.splice(actIndex, 1)
    const path = leg.action
    if (act === undefined) {
      report("gives_too_little", path, `No call of the operation performs the requested leg: ${textOf(leg)}.`)
      continue
    }
    if (lenders[act.lender] !== kind)
      report("pays_somebody_else", path, "The call goes to another lending protocol than requested.")
    if (leg.isCollateral !== null && act.isCollateral !== leg.isCollateral) {
      report(
        "pays_somebody_else",
        path,
        "The call concerns the other side of the market: collateral instead of loan token, or the reverse."
      )
    }
    if (act.marketId !== null && !markets.has(act.marketId)) {
      report("unknown_market", path, `Market ${act.marketId} is neither requested nor in \`trust.loans\`.`)
    }
    if (leg.marketId !== null && act.marketId !== null && act.marketId !== leg.marketId) {
      report("unknown_market", path, `The call uses market ${act.marketId}; ${leg.marketId} was requested.`)
    }
    checkAmount(act, leg, gas, terms, report)
  }
  for (const act of openActs)
    report("unknown_call", "userOperations", `The operation has a call that was not requested: ${textOf(act)}.`)
  checkWrapping(ledger, terms, gas.token, report)
}

type LendingLeg = LendingTerms["legs"][number]

/**
 * Returns whether the requested repayment exceeds the debt that the quote displays. The market takes no more than the
 * debt.
 */
export const isAboveDebt = ({ action, amount, shown }: LendingLeg): boolean =>
  action === "repay" && amount !== "MAX" && shown < amount

const minOf = (leg: LendingLeg): bigint => (leg.amount === "MAX" || isAboveDebt(leg) ? leg.shown : leg.amount)

/**
 * Returns the maximum amount of a leg, in base units. A full repayment includes future interest, so its maximum is 1 %
 * and 1,000 base units higher.
 */
const maxOf = ({ amount, shown }: LendingLeg): bigint => (amount === "MAX" ? shown + shown / 100n + 1_000n : amount)

/**
 * Checks that the native token is wrapped only for a supply or repayment, and unwrapped only after a borrow or
 * withdrawal. A full repayment may wrap more than the displayed debt, because the rest stays in the wallet.
 */
const checkWrapping = (ledger: Ledger, { legs }: LendingTerms, maxGasFee: bigint, report: Report): void => {
  const legsOf = (...actions: ReadonlyArray<LendingAction>) =>
    legs.filter(({ action, token }) => token === NATIVE && actions.includes(action))
  const [inputLegs, outputLegs] = [legsOf("supply", "repay"), legsOf("borrow", "withdraw")]
  const sumOf = (amounts: ReadonlyArray<bigint>) => amounts.reduce((sum, amount) => sum + amount, 0n)
  const gasTolerance = inputLegs.some(({ bearsGas }) => bearsGas) ? maxGasFee : 0n
  const [minAmount, maxAmount] = [sumOf(inputLegs.map(minOf)) - gasTolerance, sumOf(inputLegs.map(maxOf))]
  const dueAmount = sumOf(outputLegs.map(minOf))
  const [outflow, receivedAmount] = [ledger.out.get(NATIVE) ?? 0n, ledger.in.get(NATIVE) ?? 0n]
  const unwrappedAmount = ledger.out.get(ledger.wrapped) ?? 0n
  if (outflow < minAmount)
    report(
      "pays_too_little",
      "userOperations",
      `The calls wrap ${outflow} wei of the native token; at least ${minAmount} are necessary.`
    )
  if (outflow > maxAmount)
    report(
      "pays_too_much",
      "userOperations",
      `The calls wrap ${outflow} wei of the native token; at most ${maxAmount} are allowed.`
    )
  if (receivedAmount < dueAmount)
    report(
      "gives_too_little",
      "userOperations",
      `The calls unwrap ${receivedAmount} wei; at least ${dueAmount} were requested.`
    )
  if (unwrappedAmount > dueAmount)
    report(
      "pays_too_much",
      "userOperations",
      `The calls unwrap ${unwrappedAmount} wei of the wrapped token; at most ${dueAmount} are allowed.`
    )
}

/** Checks the number in a call for a complete Morpho Blue position: shares, or base units of collateral. */
const checkAllAtMorpho = (act: LendingAct, { allOf }: LendingTerms, report: Report): void => {
  const { action, amount, isCollateral, marketId, shares } = act
  const fullAmount = allOf(marketId!, isCollateral ? "COLLATERAL" : action === "repay" ? "DEBT" : "SUPPLY")
  const movedAmount = isCollateral ? amount : shares
  if (fullAmount === null) {
    report(
      "unknown_position",
      action,
      `The size of the position in market ${marketId} is unknown. Read \`position(${marketId}, wallet)\` of Morpho Blue, and set it in \`trust.loans\`.`
    )
  } else if (movedAmount !== fullAmount) {
    report(
      "gives_too_little",
      action,
      `The call moves ${movedAmount ?? amount} of ${fullAmount}; the complete amount was requested.`
    )
  }
}

const checkAmount = (
  act: LendingAct,
  leg: LendingTerms["legs"][number],
  gas: GasLimits,
  terms: LendingTerms,
  report: Report
): void => {
  const { action, amount: requestedAmount } = leg
  if (requestedAmount === "MAX") {
    if (act.marketId !== null) checkAllAtMorpho(act, terms, report)
    else if (act.amount !== "MAX")
      report("gives_too_little", action, `The call is "${textOf(act)}", but the complete amount was requested.`)
    return
  }
  const [minDeduction, maxDeduction] = leg.bearsGas ? [gas.lastOperation, gas.token] : [0n, 0n]
  const maxAmount = requestedAmount - minDeduction
  if (act.amount === "MAX" || act.amount > maxAmount) {
    report("pays_too_much", action, `The call is "${textOf(act)}"; at most ${maxAmount} base units are allowed.`)
  } else if (act.amount < requestedAmount - maxDeduction) {
    report("gives_too_little", action, `The call is "${textOf(act)}"; ${requestedAmount} base units were requested.`)
  }
}
