import type { Signed } from "./acceptance.ts"

/** A payment that a payer signed. */
export interface SignedPayment extends Signed {
  readonly wallet: string
  /** The only receiver, which is the same for a payment and its replacements. */
  readonly receiver: string
  readonly satoshis: number
  /** Whether the payment cancels an earlier one by paying the wallet itself. */
  readonly isCancel: boolean
}

/** A signed swap from Bitcoin to a token on another chain. */
export interface SignedSwap extends Signed {
  readonly provider: string
  readonly wallet: string
  /** The address that only receives from this swap. */
  readonly receiver: string
  /** In whole tokens. */
  readonly minAmountOut: string
  /** The id of the deposit transaction, without 0x. */
  readonly txid: string
}

/** The responses that payers got. All of them must still be true at the end. */
export class PaymentJournal {
  /** Addresses of wallets, with the satoshis that each received initially. */
  readonly wallets = new Map<string, number>()
  readonly quotes = new Set<string>()
  readonly payments = new Map<string, SignedPayment>()
  readonly swaps = new Map<string, SignedSwap>()
  /** Problems that payers noticed. */
  readonly surprises: Array<string> = []

  count(knowledge: SignedPayment["knowledge"]): number {
    return [...this.payments.values(), ...this.swaps.values()].filter((one) => one.knowledge === knowledge).length
  }
}
