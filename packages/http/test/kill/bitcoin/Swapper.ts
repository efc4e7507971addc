import { createHash } from "node:crypto"
import { Transaction } from "@scure/btc-signer"
import { privateKeyToAddress } from "viem/accounts"
import { type BitcoinOwner, signAndFinalize } from "../../support/bitcoinOwner.ts"
import { type AcceptanceContext, accept } from "./acceptance.ts"
import type { SignedSwap } from "./PaymentJournal.ts"

const NATIVE_TOKEN = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
export const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
/** Probability that the client does not sign a quote. */
const LEAVE_PROBABILITY = 0.1
const MAX_ATTEMPTS = 200

const txidOf = (transactionHex: string): string =>
  Transaction.fromRaw(Buffer.from(transactionHex, "hex"), { allowUnknownInputs: true, allowUnknownOutputs: true }).id

/** Returns an address that gets no other payments. */
const receiverOf = (name: string): string =>
  privateKeyToAddress(`0x${createHash("sha256").update(name).digest("hex")}`).toLowerCase()

// biome-ignore lint/suspicious/noExplicitAny: read as a client without generated types does.
type Quote = any

/**
 * Requests quotes, and returns the executable ones. Empty while the UTXOs are unconfirmed, or if no bridge returns a
 * quote.
 */
const requestQuotes = async (
  { journal, onMoment, service }: AcceptanceContext,
  request: object
): Promise<ReadonlyArray<Quote>> => {
  onMoment("quote")
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const response = await service.ask("/api/v1/crypto/swap", request)
    if (response === null) continue
    if (response.status === 200) {
      return response.body.quotes.filter(({ revertReason }: Quote) => revertReason === undefined)
    }
    if (response.body.id !== "SWAP_QUOTE")
      journal.surprises.push(`swap: ${response.status} ${JSON.stringify(response.body)}`)
    return []
  }
  throw new Error(`swap: no answer after ${MAX_ATTEMPTS} attempts`)
}

/** Swaps a part of a wallet's bitcoins for USDC at a new address, through a random provider that returns a quote. */
export const swap = async (context: AcceptanceContext, owner: BitcoinOwner, name: string): Promise<void> => {
  const { journal, random } = context
  const satoshis = 60_000 + random.below(90_000)
  const receiver = receiverOf(name)
  const quotes = await requestQuotes(context, {
    walletAddress: owner.address,
    toAddress: receiver,
    chainIdIn: 0,
    chainIdOut: 1,
    tokenIn: NATIVE_TOKEN,
    tokenOut: USDC,
    amountIn: (satoshis / 1e8).toFixed(8),
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    payGasFeeToken: NATIVE_TOKEN,
    routeProfile: "BEST_OUTPUT"
  })
  const quote = quotes[random.below(Math.max(1, quotes.length))]
  if (quote === undefined || random.fraction() < LEAVE_PROBABILITY) return
  journal.quotes.add(quote.quoteId)
  const hex = signAndFinalize(owner, quote.signData[0].psbt)
  const signedSwap: SignedSwap = {
    quoteId: quote.quoteId,
    provider: quote.swapProvider,
    wallet: owner.address,
    receiver,
    minAmountOut: quote.minAmountOut,
    txid: txidOf(hex),
    knowledge: "UNKNOWN",
    transactionId: null
  }
  journal.swaps.set(signedSwap.quoteId, signedSwap)
  if (!(await accept(context, signedSwap, hex))) journal.swaps.delete(signedSwap.quoteId)
}
