import type { SignedQuote } from "./acceptance.ts"

/** A payment that its payer signed. */
export interface SignedPayment extends SignedQuote {
  readonly wallet: string
  /** The only receiver, which is the same in a payment and its replacements. */
  readonly receiver: string
  readonly satoshis: number
  /** Whether the payment cancels an earlier one by paying the wallet itself. */
  readonly isCancel: boolean
}

/** A signed swap from Bitcoin to a token on another chain. */
export interface SignedSwap extends SignedQuote {
  readonly provider: string
  readonly wallet: string
  /** Address that receives only from this swap. */
  readonly receiver: string
  /** Decimal token amount. */
  readonly minAmountOut: string
  /** Id of the deposit transaction, without 0x. */
  readonly txid: string
}

/** Records the responses that payers got. All of them must still be true at the end. */
export class PaymentJournal {
  /** Initially received satoshis by wallet address. */
  readonly wallets = new Map<string, number>()
  readonly quotes = new Set<string>()
  readonly payments = new Map<string, SignedPayment>()
  readonly swaps = new Map<string, SignedSwap>()
  /** Contradictions that payers noticed. */
  readonly surprises: Array<string> = []

  count(knowledge: SignedPayment["knowledge"]): number {
    return [...this.payments.values(), ...this.swaps.values()].filter((one) => one.knowledge === knowledge).length
  }
}
