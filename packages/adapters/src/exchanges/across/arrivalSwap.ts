import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Address, HexBytes, type WalletAddress } from "@countersign/core/foundation/primitives"
import type { Call } from "@countersign/core/operations/user-operations"
import { minAmountOutRoundingDown, type Offer, type OfferError, type OfferTerms } from "@countersign/core/trading/swap"
import { Clock, Effect } from "effect"
import { encodeAbiParameters, type Hex, parseAbiParameters } from "viem"
import { acrossOrNull } from "../../chains/deployments/index.ts"
import type { ArrivalMessage } from "./ArrivalMessage.ts"
import { FILL_WINDOW_SECONDS } from "./depositCalls.ts"

export const instructions = parseAbiParameters(
  "((address target, bytes callData, uint256 value)[] calls, address fallbackRecipient)"
)

/**
 * A placeholder receiver, because the fee of a fill with a swap is requested before the owner is known. The result is
 * not signed.
 */
const PLACEHOLDER_RECIPIENT = Address.make(`0x${"11".repeat(20)}`)
const USUAL_SLIPPAGE_PERCENT = 0.5
/** Assumed time until the deadline of the deposit, in seconds, for the placeholder message. */
const QUOTE_SECONDS = 3_600

/**
 * Encodes the message for the destination chain's MulticallHandler: the calls, which it executes atomically, and the
 * receiver of any remainder.
 */
export const handlerMessage = (calls: ReadonlyArray<Call>, receiver: WalletAddress): HexBytes =>
  HexBytes.make(
    encodeAbiParameters(instructions, [
      {
        calls: calls.map(({ data, to, value }) => ({ target: to, callData: data, value })),
        fallbackRecipient: receiver as Hex
      }
    ])
  )

type MessageTerms = Pick<OfferTerms, "recipient" | "minAmountOut" | "deadline">

/**
 * Builds the message with which the handler swaps the filled token, and enforces the receiver's minimum. If the swap
 * fails, the receiver gets the filled token.
 */
export const arrivalMessage = Effect.fnUntraced(function* (
  chainId: EvmChainId,
  swap: Offer,
  { deadline, minAmountOut, recipient }: MessageTerms
): Effect.fn.Return<ArrivalMessage, OfferError> {
  const handler = acrossOrNull(chainId)!.multicallHandler
  if (swap.intent._tag !== "Calls") return yield* Effect.die(new Error("The swap after a fill must consist of calls"))
  const calls = yield* swap.intent.buildCalls({
    sender: handler,
    signer: handler,
    recipient,
    minAmountOut,
    // The deposit is possible until `deadline`, and the fill is possible until FILL_WINDOW_SECONDS after the deposit.
    deadline: deadline + FILL_WINDOW_SECONDS
  })
  return { handler, data: handlerMessage(calls, recipient) }
})

/** Builds a message for an unknown receiver. Its gas cost is the same as that of the final message. */
export const placeholderMessage = Effect.fnUntraced(function* (chainId: EvmChainId, swap: Offer) {
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
  const minAmountOut = minAmountOutRoundingDown(swap.amountOut, USUAL_SLIPPAGE_PERCENT)
  return yield* arrivalMessage(chainId, swap, {
    recipient: PLACEHOLDER_RECIPIENT,
    minAmountOut,
    deadline: now + QUOTE_SECONDS
  })
})
