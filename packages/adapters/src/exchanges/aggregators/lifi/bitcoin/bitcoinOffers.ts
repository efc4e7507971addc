import type { BitcoinTransactions } from "@countersign/core/bitcoin/chain"
import { type BitcoinAddress, isEvmAddress, isNativeToken } from "@countersign/core/foundation/primitives"
import {
  type Offer,
  type OfferError,
  type OfferPayment,
  type OfferRequest,
  type OfferTerms,
  RouteNotFound
} from "@countersign/core/trading/swap"
import { Clock, Effect } from "effect"
import { readPsbt } from "../../../../chains/bitcoin/index.ts"
import { fault } from "../../RouteFault.ts"
import { requireFaultless } from "../../refusedRoutes.ts"
import { type BitcoinQuote, type LiFiApi, NAME } from "../LiFiApi.ts"
import { lifiProvider } from "../providerInfo.ts"
import { slippageBpsOrNull, USUAL_SLIPPAGE_BPS } from "../slippage.ts"
import { statusStagePlan } from "../statusStage.ts"
import { psbtFault } from "./psbtFault.ts"

const noRoute = (reason: string) => new RouteNotFound({ provider: NAME, reason })
/** Assumed duration in seconds if LI.FI does not state one: one Bitcoin block and the steps after it. */
const USUAL_SECONDS = 1_200
/** LI.FI states no expiry for its deposit addresses. Its bridges monitor an address for at least this time. */
const DEPOSIT_MS = 30 * 60_000

const NOTICE =
  "The memo of the payment has LI.FI's own format, which the service can't decode. Only LI.FI reports the receiver and the minimum amount on the other chain."

/** Creates the offers for swaps from Bitcoin by LI.FI. Each payment is verified before it is offered. */
export const bitcoinOffers = (api: LiFiApi, transactions: BitcoinTransactions["Service"]) => {
  const paymentOf = Effect.fnUntraced(function* (
    { amountIn }: OfferRequest,
    { confirmations, psbt, vault }: BitcoinQuote & { readonly confirmations: number },
    sender: BitcoinAddress
  ): Effect.fn.Return<OfferPayment, OfferError> {
    const foreignPsbt = readPsbt(psbt)
    const requestedPayment = { amountIn, wallet: transactions.scriptOf(sender), vault: transactions.scriptOf(vault) }
    yield* requireFaultless(
      lifiProvider,
      foreignPsbt === null ? fault("FORM", "it returned no PSBT") : psbtFault(foreignPsbt, requestedPayment)
    )
    const [vaultOutput, memoOutput, change] = foreignPsbt!.outputs
    return {
      outputs: [
        { role: "VAULT", address: vault, memo: null, ...vaultOutput! },
        { role: "MEMO", address: null, memo: textOf(memoOutput!.script), ...memoOutput! }
      ],
      minFeeRate: null,
      confirmations,
      broadcastUntilMs: (yield* Clock.currentTimeMillis) + DEPOSIT_MS,
      fixed: {
        coins: foreignPsbt!.inputs.map(({ sequence, txid, vout }) => ({ txid, vout, sequence })),
        change: change?.value ?? 0n
      }
    }
  })

  const requestPayment = Effect.fnUntraced(function* (
    request: OfferRequest,
    estimate: BitcoinQuote,
    { minAmountOut, recipient, sender }: OfferTerms
  ): Effect.fn.Return<OfferPayment, OfferError> {
    if (isEvmAddress(sender)) return yield* noRoute("the sender is not a Bitcoin wallet")
    const slippageBps = slippageBpsOrNull(estimate.amountOut, minAmountOut)
    if (slippageBps === null) return yield* noRoute("its current output is below the requested minimum output")
    const quote = yield* api.bitcoinQuote({ ...request, sender, recipient, slippageBps })
    if (quote.amountOut < minAmountOut || quote.minAmount < minAmountOut) {
      return yield* noRoute("its current minimum output is below the requested minimum output")
    }
    return yield* paymentOf(request, { ...quote, confirmations: 1 }, sender)
  })

  const offerOf = (request: OfferRequest, estimate: BitcoinQuote): Offer => {
    const { amountIn, tokenIn, tokenOut } = request
    const { amountOut, seconds, tool, vault } = estimate
    const hop = { venue: `${NAME} (${tool})`, through: vault, poolId: null, feePips: null }
    const offer: Offer = {
      ...request,
      amountOut,
      certainty: "EXPECTED",
      blockNumber: null,
      route: [{ amountIn, amountOut, hops: [{ ...hop, tokenIn: tokenIn.address, tokenOut: tokenOut.address }] }],
      fees: [],
      notices: [NOTICE],
      executionSeconds: seconds ?? USUAL_SECONDS,
      stages: [statusStagePlan],
      requoteAmount: (other) =>
        other === amountIn ? Effect.succeed(offer) : offerFor({ ...request, amountIn: other }),
      requestFollowUp: null,
      intent: { _tag: "BitcoinPayment", buildPayment: (terms) => requestPayment(request, estimate, terms) }
    }
    return offer
  }

  const offerFor = Effect.fnUntraced(function* (request: OfferRequest): Effect.fn.Return<Offer, OfferError> {
    const { parties, tokenOut } = request
    if (parties === undefined || isEvmAddress(parties.sender)) {
      return yield* noRoute("it requires the Bitcoin address of the sender")
    }
    if (isNativeToken(tokenOut.address)) {
      return yield* noRoute("a native token leaves no transfer event that proves its delivery. Request a token")
    }
    const quote = yield* api.bitcoinQuote({ ...request, ...parties, slippageBps: USUAL_SLIPPAGE_BPS })
    return offerOf(request, quote)
  })

  return offerFor
}

/** Decodes the text of an OP_RETURN output; returns the bytes in hexadecimal if they are not readable text. */
const textOf = (script: string): string => {
  const bytes = Buffer.from(script.slice(2), "hex")
  const data = bytes.subarray(bytes[1] === 0x4c ? 3 : 2)
  const text = data.toString("utf8")
  return /^[ -~]+$/u.test(text) ? text : `0x${data.toString("hex")}`
}
