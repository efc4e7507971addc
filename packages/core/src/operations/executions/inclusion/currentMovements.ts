import { Effect, Option } from "effect"
import { movementValue } from "../../../accounting/history/index.ts"
import { NATIVE_TOKEN, type WalletAddress } from "../../../foundation/primitives/index.ts"
import {
  type ByToken,
  pricesOf,
  type Token,
  TokenCatalog,
  type TokenKey,
  type TokenPrice,
  TokenPrices,
  tokenKey
} from "../../../foundation/tokens/index.ts"
import type { UserOperationIntent } from "../../intents/index.ts"
import type { Quote } from "../../quotes/index.ts"
import type { OperationOutcome } from "../../user-operations/index.ts"
import type { Work } from "../Stage.ts"
import { movementsOf } from "./movements.ts"

/** Maximum wait for current prices. After it, the quote's prices are used. */
const PRICE_PATIENCE = "2 seconds"

const accountsOf = ({ transaction }: Quote, sender: WalletAddress): ReadonlyArray<WalletAddress> => [
  ...new Set([sender, ...transaction.expected.map(({ account }) => account)])
]

const feeRecipientsOf = ({ transaction }: Quote): ReadonlySet<string> =>
  new Set(
    transaction.expected.flatMap(({ counterparty, role }) =>
      role === "FEE" && counterparty !== null ? [counterparty] : []
    )
  )

/** Returns the movements of an outcome in listed tokens, valued at current prices. */
export const currentMovements = Effect.gen(function* () {
  const catalog = yield* TokenCatalog
  const prices = yield* TokenPrices

  return Effect.fnUntraced(function* (work: Work, intent: UserOperationIntent, outcome: OperationOutcome) {
    const { chainId, sender } = intent.operation
    const gasTokens = outcome.tokenPayment === null ? [] : [outcome.tokenPayment.token]
    const addresses = new Set([NATIVE_TOKEN, ...gasTokens, ...outcome.transfers.map(({ token }) => token)])
    const lookups = yield* Effect.forEach(addresses, (token) => catalog.find(chainId, token))
    const tokens = new Map<string, Token>(lookups.filter(Option.isSome).map(({ value }) => [value.address, value]))
    const currentPrices: ByToken<TokenPrice> = yield* prices
      .findPrices([...tokens.values()])
      .pipe(Effect.timeoutOrElse({ duration: PRICE_PATIENCE, orElse: () => Effect.succeed(new Map()) }))
    const quotedPrices = pricesOf(work.quote.prices)
    const priceOf = (key: TokenKey) => {
      const quotedPrice = quotedPrices.get(key)
      return currentPrices.get(key) ?? (quotedPrice === undefined ? undefined : { usd: quotedPrice, source: "QUOTE" })
    }
    return movementsOf(outcome, {
      chainId,
      sender,
      accounts: accountsOf(work.quote, sender),
      paysInNativeToken: intent.operation.paymaster === null,
      feeRecipients: feeRecipientsOf(work.quote),
      isListed: (token) => tokens.has(token),
      expected: work.quote.transaction.expected,
      movementValueOf: (address, amount) => {
        const token = tokens.get(address)
        return token === undefined ? { usd: null } : movementValue(amount, token, priceOf(tokenKey(token)))
      },
      leg: Math.max(
        0,
        work.quote.transaction.legs.findIndex(({ stage }) => stage === work.execution.at)
      )
    })
  })
})
