import { Effect } from "effect"
import { type Address, isEvmAddress, minBigInt } from "../../../foundation/primitives/index.ts"
import { type Token, tokenKey } from "../../../foundation/tokens/index.ts"
import type { OperationContext } from "../../../operations/user-operations/index.ts"
import { type Offer, type OfferError, SwapProviders } from "../provider/Offer.ts"
import type { SwapOrder } from "../swapOrders.ts"
import { transferFees } from "./transferFees.ts"

/**
 * Returns half of an amount, which is simulated. The other half pays gas, and a possible fee on the transfer to the
 * wallet.
 */
const halfRoundingUp = (amount: bigint): bigint => (amount + 1n) / 2n

/**
 * Finds the token of a limit order that charges a fee on transfers. Settlements can't deliver the order's amount of
 * such a token. Null if neither token charges a fee, or if the wallet's balance is too low for a simulation.
 */
export const limitOrderFees = Effect.gen(function* () {
  const providers = yield* SwapProviders
  const { takesFee } = yield* transferFees

  /**
   * Returns whether a simulated market swap delivers less of the bought token than the route transfers. False if there
   * is no market or no balance.
   */
  const isTaxedAtMarket = Effect.fnUntraced(function* (
    { request: { chainIdIn, chainIdOut }, tokens: { tokenIn, tokenOut } }: SwapOrder,
    to: Address,
    context: OperationContext,
    amountIn: bigint
  ): Effect.fn.Return<boolean, OfferError> {
    const { address: sender, owner: signer } = context.account
    const marketProvider = providers.find((provider) => provider.serves({ chainIdIn, chainIdOut, isLimitOrder: false }))
    if (marketProvider === undefined || amountIn === 0n) return false
    const offer = yield* marketProvider
      .offer({ tokenIn, tokenOut, amountIn, limit: null })
      .pipe(Effect.catchTag("ROUTE_NOT_FOUND", () => Effect.succeed(null)))
    if (offer === null || offer.intent._tag !== "Calls") return false
    const { buildCalls: calls } = offer.intent
    return yield* takesFee(context, tokenOut, to, halfRoundingUp(offer.amountOut), ({ deadline }) =>
      calls({ sender, signer, recipient: sender, minAmountOut: 1n, deadline })
    )
  })

  return Effect.fnUntraced(function* (
    order: SwapOrder,
    { route }: Offer,
    context: OperationContext
  ): Effect.fn.Return<Token | null, OfferError> {
    const { tokenIn, tokenOut } = order.tokens
    const firstContract = route[0]?.hops[0]?.through
    if (firstContract === undefined || !isEvmAddress(firstContract)) return null
    const balanceOf = (token: Token) => context.state.balances.get(tokenKey(token)) ?? 0n
    const amountIn = minBigInt(order.amountIn, balanceOf(tokenIn))
    const balanceOut = balanceOf(tokenOut)
    const checkBoughtToken =
      balanceOut > 0n
        ? takesFee(context, tokenOut, firstContract, halfRoundingUp(balanceOut))
        : isTaxedAtMarket(order, firstContract, context, halfRoundingUp(amountIn))
    const [isSoldTaxed, isBoughtTaxed] = yield* Effect.all(
      [takesFee(context, tokenIn, firstContract, halfRoundingUp(amountIn)), checkBoughtToken],
      { concurrency: 2 }
    )
    return isSoldTaxed ? tokenIn : isBoughtTaxed ? tokenOut : null
  })
})
