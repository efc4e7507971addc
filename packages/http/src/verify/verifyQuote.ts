import type { SwapQuote, SwapRequest } from "../client/resources.ts"
import { type AccountKind, type Call, kindOf } from "./accounts.ts"
import { decimalsFrom, parseUnits, UnknownDecimals } from "./amounts.ts"
import { address, type Bytes, bytes, Unreadable } from "./bytes.ts"
import { chains, NATIVE } from "./contracts.ts"
import { deadlineProblemOrNull } from "./deadline.ts"
import { checkGas, type GasCheck } from "./gas.ts"
import { Ledger } from "./ledger.ts"
import { checkLending } from "./lending.ts"
import { checkLimitOrder } from "./limitOrder.ts"
import { checkLiquidity, startPriceIn } from "./liquidity.ts"
import { maxGasCost, type Operation, readOperation } from "./operations.ts"
import { checkOutcome } from "./outcome.ts"
import type { Terms } from "./requestTerms.ts"
import type { AnyQuote, AnyRequest, KnownAccount, Problem, Report, Trust } from "./shapes.ts"
import { checkOutputFees } from "./shares.ts"
import { checkShown } from "./shownChecks.ts"
import { UnknownPosition } from "./shownPosition.ts"
import { checkSigning } from "./signing.ts"
import { spokePools } from "./spokePools.ts"
import { termsOf } from "./terms.ts"
import { uncheckedFieldsOf } from "./uncheckedParts.ts"
import { enterCall, isGasAllowance } from "./walletCalls.ts"

export interface VerifyOptions {
  /** The request that the caller sent. */
  readonly request: AnyRequest
  /** The quote that the service returned. */
  readonly quote: AnyQuote
  readonly account: KnownAccount
  readonly trust?: Trust
}

export type Verification =
  | {
      readonly ok: true
      /** The recomputed hash of the operation, which `execute` expects; null for a limit order without an operation. */
      readonly userOperationHash: Bytes | null
      /** All calls that the wallet executes, in order. */
      readonly calls: ReadonlyArray<Call>
      /** Maximum gas cost, in wei and in base units of the gas token. */
      readonly maxGas: { readonly wei: bigint; readonly token: bigint }
      /**
       * Approximate initial price of a new pool, in display units of token1 per token0, in the token order of the
       * request. Null if the operation creates no pool. Compare it with the market price, which the verifier does not
       * know.
       */
      readonly startPrice: number | null
      /**
       * Quote fields that the verifier does not check, such as prices, estimates and display texts. `[]` represents
       * every element of a list.
       */
      readonly unchecked: ReadonlyArray<string>
      /** Sentences about effects that cannot be known before execution, such as an aggregator's route. */
      readonly unknown: ReadonlyArray<string>
    }
  | { readonly ok: false; readonly problems: ReadonlyArray<Problem> }

/**
 * Relayers charge a few hundredths of a percent plus the gas cost of the fill. For small amounts the gas cost is a
 * larger percentage.
 */
const MAX_BRIDGE_FEE_PERCENT = 5

const isSameText = (quotedValue: unknown, expectedValue: unknown): boolean =>
  typeof quotedValue === "string" && typeof expectedValue === "string" && expectedValue.startsWith("0x")
    ? quotedValue.toLowerCase() === expectedValue.toLowerCase()
    : quotedValue === expectedValue

/** Checks the rules that apply to all operations. */
const checkOperation = (
  operation: Operation,
  i: number,
  { chainId, wallet }: Terms,
  kind: AccountKind,
  account: KnownAccount,
  report: Report
): void => {
  const path = `userOperations[${i}]`
  if (operation.chainId !== chainId)
    report(
      "wrong_chain",
      `${path}.chainId`,
      `The operation is for chain ${operation.chainId}, not for chain ${chainId}.`
    )
  if (operation.sender !== wallet)
    report(
      "wrong_wallet",
      `${path}.sender`,
      `The sender of the operation is ${operation.sender}, not the wallet ${wallet}.`
    )
  if (operation.entryPoint !== kind.entryPoint) {
    report(
      "wrong_entry_point",
      `${path}.entryPoint`,
      `${operation.entryPoint} is not EntryPoint ${kind.entryPointVersion}.`
    )
  }
  if ((operation.nonce & (2n ** 64n - 1n)) !== BigInt(i) || operation.nonce >> 64n === 0n) {
    report(
      "wrong_nonce",
      `${path}.nonce`,
      "The nonce is not the first of a new nonce key, so another operation could replace this one."
    )
  }
  if (!kind.signsValidity && operation.validUntil !== 0)
    report(
      "wrong_deadline",
      `${path}.validUntil`,
      "The operation has `validUntil`, but the signed data does not contain it."
    )
  if (operation.factory !== null) {
    const factory = kind.delegate === null ? bytes(account.factory) : "0x7702"
    if (operation.factory !== factory || operation.factoryData !== kind.factoryData(account)) {
      report(
        "wrong_deployment",
        `${path}.factory`,
        "The operation would deploy another account than the owner's account."
      )
    }
  }
}

/** Returns the expiry for comparisons. A `validUntil` of zero means that a Safe operation does not expire. */
const expiryOrMax = (validUntil: number): bigint => (validUntil === 0 ? 2n ** 64n : BigInt(validUntil))

const checkDeadlines = (
  deadlines: ReadonlyArray<readonly [path: string, at: bigint]>,
  trust: Trust,
  report: Report
): void => {
  for (const [path, deadline] of deadlines) {
    const problem = deadlineProblemOrNull(Number(deadline), trust)
    if (problem !== null) report("wrong_deadline", path, problem)
  }
}

/** Checks that the calls of the preview equal the signed calls, because owners rely on the preview. */
const checkPreview = (quote: AnyQuote, calls: ReadonlyArray<Call>, report: Report): void => {
  const shownCalls = quote.preview.calls.map(({ data, to, value }) =>
    [address(to), parseUnits(value, 18), bytes(data)].join(" ")
  )
  const signedCalls = calls.map(({ data, to, value }) => [to, value, data].join(" "))
  if (shownCalls.length !== signedCalls.length || shownCalls.some((call, i) => call !== signedCalls[i])) {
    report("wrong_preview", "preview.calls", "The calls of the preview differ from the signed calls.")
  }
}

/** Verifies a limit order, and that its operation does nothing except what the order needs. */
const verifyOrder = (
  {
    quote,
    request,
    trust
  }: VerifyOptions & { readonly quote: SwapQuote; readonly request: SwapRequest; readonly trust: Trust },
  operations: ReadonlyArray<Operation>,
  kind: AccountKind,
  terms: Terms,
  report: Report
): Extract<Verification, { ok: true }> => {
  const calls = operations.flatMap(({ callData }) => kind.calls(callData))
  checkPreview(quote, calls, report)
  const paymasters = new Set((trust.paymasters ?? []).map(address))
  const decimalsOf = decimalsFrom(terms.chainId, trust)
  const gas = checkGas({ operations, terms, trust, paymasters, decimalsOf }, report)
  const requestedOrder = { request, quote, terms, trust, kind, calls, paymasters, gas, decimalsOf }
  checkSigning(quote, operations, kind, report, checkLimitOrder(requestedOrder, report))
  const validUntil = kind.signsValidity ? operations.map((operation) => expiryOrMax(operation.validUntil)) : []
  checkDeadlines(
    [...validUntil, ...gas.validUntil].map((at) => ["userOperations", at] as const),
    trust,
    report
  )
  const lastOperation = operations.at(-1)
  return {
    ok: true,
    userOperationHash: lastOperation === undefined ? null : kind.hash(lastOperation),
    calls,
    maxGas: { wei: operations.reduce((sum, operation) => sum + maxGasCost(operation), 0n), token: gas.token },
    startPrice: null,
    unchecked: uncheckedFieldsOf(quote),
    unknown: []
  }
}

/** Returns the tokens of the pools in a request about positions. */
const poolTokensOf = ({ liquidity }: Terms): ReadonlyArray<Bytes> => {
  const pool = liquidity?.placing?.pool
  return [...(liquidity?.open?.tokens ?? []), ...(pool === undefined ? [] : [pool.token0, pool.token1])]
}

const verify = (
  { account, quote, request, trust = {} }: VerifyOptions,
  report: Report
): Extract<Verification, { ok: true }> | null => {
  const kind = kindOf(account)
  const terms = termsOf(request, quote, trust)
  const contracts = chains[terms.chainId]
  if (kind === null || contracts === undefined) {
    report(
      "unknown_account",
      "",
      `The verifier does not support accounts of factory ${account.factory} on chain ${terms.chainId}.`
    )
    return null
  }
  if (address(account.walletAddress) !== terms.wallet)
    report("wrong_wallet", "", "The request is for another wallet than `account`.")
  for (const { requestedValue, path, said } of terms.echoes) {
    if (!isSameText(said, requestedValue))
      report("wrong_echo", path, `The quote contains ${said}, but ${requestedValue} was requested.`)
  }
  const operations = quote.userOperations.map(readOperation)
  const lastOperation = operations.at(-1)
  const isOrder = quote.type === "LIMIT_ORDER"
  if ((lastOperation === undefined && !isOrder) || operations.length > 2)
    throw new Unreadable("the quote contains no user operation, or more than two")
  for (const [i, operation] of operations.entries()) checkOperation(operation, i, terms, kind, account, report)
  if (operations.some(({ nonce }) => nonce >> 64n !== lastOperation!.nonce >> 64n)) {
    report(
      "wrong_nonce",
      "userOperations",
      "The operations use different nonce keys, so they could be executed in another order."
    )
  }
  if (isOrder)
    return verifyOrder({ account, quote, request: request as SwapRequest, trust }, operations, kind, terms, report)
  checkSigning(quote, operations, kind, report)

  const routers = { ...contracts.routers }
  for (const [router, routerKind] of Object.entries(trust.routers ?? {})) routers[address(router)] = routerKind
  let path = ""
  const spokePool = terms.chainIdOut === undefined ? undefined : spokePools[terms.chainId]
  const bridge =
    spokePool === undefined
      ? null
      : {
          ...spokePool,
          isNativeAsked: "tokenOut" in request && address(request.tokenOut) === NATIVE,
          maxFeePercent: trust.maxBridgeFeePercent ?? MAX_BRIDGE_FEE_PERCENT
        }
  const paymasters = new Set((trust.paymasters ?? []).map(address))
  const tokens = new Set([
    contracts.wrapped,
    terms.gasToken,
    ...Object.values(bridge?.tokens ?? {}),
    ...terms.elements.flatMap(({ out, tokenIn }) =>
      out === null || out === "POSITION" ? [tokenIn] : [tokenIn, out.token]
    ),
    ...(terms.liquidity?.payout ? [terms.liquidity.payout.token] : []),
    ...(terms.lending?.legs.map(({ token }) => token) ?? [])
  ])
  // No contract is at the placeholder address of native tokens, so a call to it moves nothing.
  tokens.delete(NATIVE)
  const ledger = new Ledger({
    wallet: terms.wallet,
    wrapped: contracts.wrapped,
    routers,
    lenders: terms.lending === null ? {} : contracts.lenders,
    manager: terms.liquidity?.manager ?? null,
    position: terms.liquidity?.open ?? null,
    bridge,
    trusted: new Set([...tokens, ...poolTokensOf(terms), NATIVE]),
    report: (code, message) => report(code, path, message)
  })
  const callsByOperation = operations.map(({ callData }) => kind.calls(callData))
  for (const [i, calls] of callsByOperation.entries()) {
    for (const [callIndex, call] of calls.entries()) {
      path = `userOperations[${i}].callData, call ${callIndex}`
      enterCall(ledger, { tokens, paymasters }, call)
      // Other transactions can be executed between the two operations, and could take tokens that the first one leaves
      // in a contract.
      if (i < operations.length - 1 && !isGasAllowance(call, terms.gasToken, paymasters))
        report("unknown_call", path, "An operation before the main one does more than approve the paymaster.")
    }
  }
  const calls = callsByOperation.flat()
  checkPreview(quote, calls, report)
  const gasCheck: GasCheck = {
    operations,
    terms,
    trust,
    paymasters,
    decimalsOf: decimalsFrom(terms.chainId, trust)
  }
  const gas = checkGas(gasCheck, report)
  const collectors = (trust.collectors ?? []).map(address)
  checkOutcome({ ledger, terms, gas, collectors, paymasters }, report)
  const { decimalsOf } = gasCheck
  checkShown({ quote, operations, kind, terms, ledger, paymasters, collectors, decimalsOf }, report)
  if (terms.lending !== null) checkLending(ledger, terms.lending, gas, report)
  if (terms.liquidity !== null) {
    checkLiquidity(ledger, terms.liquidity, report)
    checkOutputFees(ledger, terms.liquidity, collectors, report)
  }
  checkDeadlines(
    [
      ...ledger.deadlines.map((at) => ["userOperations", at] as const),
      ...operations.flatMap(({ validUntil }, i) =>
        kind.signsValidity ? [[`userOperations[${i}].validUntil`, expiryOrMax(validUntil)] as const] : []
      ),
      ...gas.validUntil.map((at) => ["userOperations", at] as const)
    ],
    trust,
    report
  )
  return {
    ok: true,
    userOperationHash: kind.hash(lastOperation!),
    calls,
    maxGas: { wei: operations.reduce((sum, operation) => sum + maxGasCost(operation), 0n), token: gas.token },
    startPrice: terms.liquidity === null ? null : startPriceIn(ledger, terms.liquidity),
    unchecked: uncheckedFieldsOf(quote),
    unknown: [...ledger.unknown]
  }
}

const messageOf = (thrown: unknown): string => {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  return thrown instanceof Unreadable ? `The quote can't be decoded: ${text}.` : `The quote is malformed: ${text}`
}

/**
 * Verifies that the signed content of a quote matches the request. Decodes the quote's user operations, and compares
 * them with the request. The service is not trusted, and content that cannot be decoded is a problem.
 */
export const verifyQuote = (options: VerifyOptions): Verification => {
  const problems: Array<Problem> = []
  const report: Report = (code, path, message) => void problems.push({ code, path, message })
  try {
    const verification = verify(options, report)
    if (verification !== null && problems.length === 0) return verification
  } catch (thrown) {
    if (thrown instanceof UnknownPosition) report("unknown_position", "", thrown.message)
    else if (thrown instanceof UnknownDecimals) report("unknown_decimals", "", thrown.message)
    else report("unreadable", "", messageOf(thrown))
  }
  return { ok: false, problems }
}
