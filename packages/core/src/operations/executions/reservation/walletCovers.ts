import { Effect, Option } from "effect"
import type { UpstreamUnavailable } from "../../../foundation/errors/index.ts"
import { type Address, decimalFromBaseUnits, isNativeToken } from "../../../foundation/primitives/index.ts"
import { TokenCatalog, tokenKey } from "../../../foundation/tokens/index.ts"
import type { UserOperationIntent } from "../../intents/index.ts"
import type { Quote } from "../../quotes/index.ts"
import { ChainReader, QuoteStale, statedReason } from "../../user-operations/index.ts"
import type { WalletBalances } from "../acceptance/IntentKind.ts"
import type { Funds } from "../Executions.ts"
import type { Conflict } from "./conflict.ts"
import { reservationOf } from "./reservationOf.ts"
import type { Shortage } from "./shortage.ts"

/** A quote to accept, with its last operation. */
interface CoveredQuote {
  readonly intent: UserOperationIntent
  readonly quote: Quote
  /** Simulates the operations again on the current balances. Fails if they would revert. */
  readonly requireExecutable: Effect.Effect<unknown, QuoteStale | UpstreamUnavailable>
}

/**
 * Reads the wallet's balances on the chain of a quote. They must cover the quote's operations and all pending
 * operations.
 */
export const walletCovers = Effect.gen(function* () {
  const reader = yield* ChainReader
  const catalog = yield* TokenCatalog

  /** Reads the account's balances and the block to which they belong. Earlier blocks can't include the operations. */
  const fundsFor = Effect.fnUntraced(function* (
    { operation: { chainId, entryPoint, sender } }: UserOperationIntent,
    quote: Quote,
    nonces: ReadonlyArray<bigint> = []
  ) {
    const reservedSpending = reservationOf(quote)?.spending ?? []
    const { balances, blockNumber, usedNonces } = yield* reader.readAccountState(chainId, {
      address: sender,
      // `balanceOf` of the EntryPoint returns the account's deposit.
      tokens: [...reservedSpending.map(({ token }) => token), entryPoint],
      allowances: [],
      nonces: { entryPoint, of: nonces }
    })
    const balanceOf = (address: Address) => balances.get(tokenKey({ chainId, address })) ?? 0n
    const funds: Funds = {
      blockNumber,
      usedNonces,
      holdingOf: (token) => ({
        balance: balanceOf(token),
        prepaidGas: isNativeToken(token) ? balanceOf(entryPoint) : 0n
      })
    }
    return funds
  })

  const shortageText = Effect.fnUntraced(function* (
    { operation }: UserOperationIntent,
    { balance, needed, promised, token }: Shortage
  ) {
    const listedToken = Option.getOrNull(yield* catalog.find(operation.chainId, token))
    const text = (units: bigint) => decimalFromBaseUnits(units, listedToken?.decimals ?? 0)
    const symbol = listedToken?.symbol ?? `base units of ${token}`
    return `pending operations of the wallet need ${text(promised)} of its ${text(balance)} ${symbol}, and this operation needs ${text(needed)}. All amounts include the maximum gas cost`
  })

  /** Describes a conflict. Does not identify a transaction of another project. */
  const conflictText = ({ other, resource }: Conflict, { projectId }: Quote): string => {
    const conflictingOperation =
      other.projectId === projectId ? `transaction ${other.id}` : "an operation of another project"
    return `${resource} is changed by ${conflictingOperation}, which is pending`
  }

  const refusalOf = Effect.fnUntraced(function* ({ intent, quote }: CoveredQuote, reason: Shortage | Conflict) {
    const { hash } = intent
    const decodedText = reason._tag === "Conflict" ? conflictText(reason, quote) : yield* shortageText(intent, reason)
    return new QuoteStale({
      hash,
      reason: statedReason(decodedText),
      remedy: "LATER"
    })
  })

  const walletBalancesOf = (coveredQuote: CoveredQuote, funds: Funds): WalletBalances => ({
    funds,
    refusal: (reason) => refusalOf(coveredQuote, reason),
    // Other operations may have been included, so the remaining balance is checked again.
    refresh: Effect.fnUntraced(function* (reason) {
      const { nonces } = reason
      const refreshedFunds = yield* fundsFor(coveredQuote.intent, coveredQuote.quote, nonces)
      const isAllWaiting = nonces.length > 0 && refreshedFunds.usedNonces.size === 0
      if (isAllWaiting) return yield* Effect.flatMap(refusalOf(coveredQuote, reason), Effect.fail)
      yield* coveredQuote.requireExecutable
      return walletBalancesOf(coveredQuote, refreshedFunds)
    })
  })

  return (coveredQuote: CoveredQuote): Effect.Effect<WalletBalances, UpstreamUnavailable> =>
    Effect.map(fundsFor(coveredQuote.intent, coveredQuote.quote), (funds) => walletBalancesOf(coveredQuote, funds))
})
