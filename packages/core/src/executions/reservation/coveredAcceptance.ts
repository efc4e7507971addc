import { Effect, Option } from "effect"
import type { UpstreamUnavailable } from "../../errors/index.ts"
import type { UserOperationIntent } from "../../intents/index.ts"
import { type Address, decimalFromBaseUnits, HexBytes, isNativeCoin } from "../../primitives/index.ts"
import type { Quote } from "../../quotes/index.ts"
import { TokenCatalog, tokenKey } from "../../tokens/index.ts"
import { ChainReader, QuoteStale } from "../../user-operations/index.ts"
import type { Execution } from "../Execution.ts"
import { type Acceptance, Executions, type Funds } from "../Executions.ts"
import { reservationOf } from "./reservationOf.ts"
import type { Shortage } from "./shortage.ts"

/** How often an operation is tried again because others of its wallet came into a block meanwhile. */
const LOOKS_AGAIN = 2

/** A quote that is to be accepted, by one of its operations. */
interface Candidate {
  readonly intent: UserOperationIntent
  readonly quote: Quote
  readonly acceptance: Acceptance
  /** Whether its operations would still run, on what is left now. */
  readonly requireExecutable: Effect.Effect<unknown, QuoteStale | UpstreamUnavailable>
}

/** Accepts what a wallet's balances cover beside its other operations. */
export const coveredAcceptance = Effect.gen(function* () {
  const reader = yield* ChainReader
  const catalog = yield* TokenCatalog
  const executions = yield* Executions

  /** What the account holds, and the block in which it does: the operations can't be found in an earlier one. */
  const fundsFor = Effect.fnUntraced(function* (
    { operation: { chainId, entryPoint, sender } }: UserOperationIntent,
    quote: Quote,
    nonces: ReadonlyArray<bigint> = []
  ) {
    const spending = reservationOf(quote)?.spending ?? []
    const { balances, blockNumber, usedNonces } = yield* reader.accountState(chainId, {
      address: sender,
      // An EntryPoint tells a deposit as a token does a balance.
      tokens: [...spending.map(({ token }) => token), entryPoint],
      allowances: [],
      nonces: { entryPoint, of: nonces }
    })
    const balanceOf = (address: Address) => balances.get(tokenKey({ chainId, address })) ?? 0n
    const funds: Funds = {
      blockNumber,
      usedNonces,
      holdingOf: (token) => ({
        balance: balanceOf(token),
        prepaidGas: isNativeCoin(token) ? balanceOf(entryPoint) : 0n
      })
    }
    return funds
  })

  const staleFor = Effect.fnUntraced(function* (
    { hash, operation }: UserOperationIntent,
    { balance, needed, promised, token }: Shortage
  ) {
    const listed = Option.getOrNull(yield* catalog.find(operation.chainId, token))
    const text = (units: bigint) => decimalFromBaseUnits(units, listed?.decimals ?? 0)
    const symbol = listed?.symbol ?? `base units of ${token}`
    const decoded = `other operations of the wallet that are under way need ${text(promised)} of its ${text(balance)} ${symbol}, and this one needs ${text(needed)}, each with the most that its gas may cost`
    return new QuoteStale({ hash, reason: { decoded, raw: HexBytes.make("0x"), utf8: "" }, remedy: "LATER" })
  })

  /**
   * Where the balances do not suffice, some of the other operations may be in a block that they show already. Then the
   * operation is simulated on what those have left, and tried again.
   */
  const accept = (
    candidate: Candidate,
    looks = LOOKS_AGAIN
  ): Effect.Effect<Option.Option<Execution>, QuoteStale | UpstreamUnavailable> => {
    const { acceptance, intent, quote, requireExecutable } = candidate
    return Effect.catchTag(
      executions.accept(quote, acceptance),
      "Shortage",
      Effect.fnUntraced(function* (shortage) {
        const funds = yield* fundsFor(intent, quote, shortage.nonces)
        const isAllWaiting = shortage.nonces.length > 0 && funds.usedNonces.size === 0
        if (isAllWaiting || looks === 0) return yield* Effect.flatMap(staleFor(intent, shortage), Effect.fail)
        yield* requireExecutable
        return yield* accept({ ...candidate, acceptance: { ...acceptance, funds } }, looks - 1)
      })
    )
  }

  return { fundsFor, accept }
})
