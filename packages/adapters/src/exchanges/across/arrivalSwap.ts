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

/** Relayers are asked about a swap before it is known whose it is. Nothing is signed of what this answers. */
const ANYBODY = Address.make(`0x${"11".repeat(20)}`)
const USUAL_SLIPPAGE_PERCENT = 0.5
/** From a quote until its deposit, at most. */
const QUOTE_SECONDS = 3_600

/** What a deposit says that the other chain's MulticallHandler does with what is filled: the calls, all or none, and who gets what is left. */
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

/** The swap of what is filled, by the handler, with the receiver's least. Where it fails, what was filled goes to the receiver as it is. */
export const arrivalMessage = Effect.fnUntraced(function* (
  chainId: EvmChainId,
  swap: Offer,
  { deadline, minAmountOut, recipient }: MessageTerms
): Effect.fn.Return<ArrivalMessage, OfferError> {
  const handler = acrossOrNull(chainId)!.multicallHandler
  if (swap.intent._tag !== "Calls") return yield* Effect.die(new Error("The swap after a fill is made of calls"))
  const calls = yield* swap.intent.calls({
    sender: handler,
    signer: handler,
    recipient,
    minAmountOut,
    // It is filled for as long after the deposit.
    deadline: deadline + FILL_WINDOW_SECONDS
  })
  return { handler, data: handlerMessage(calls, recipient) }
})

/** The same for a receiver who is not known yet, for whom it costs as much gas. */
export const usualMessage = Effect.fnUntraced(function* (chainId: EvmChainId, swap: Offer) {
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
  const minAmountOut = minAmountOutRoundingDown(swap.amountOut, USUAL_SLIPPAGE_PERCENT)
  return yield* arrivalMessage(chainId, swap, { recipient: ANYBODY, minAmountOut, deadline: now + QUOTE_SECONDS })
})
