import type { Signed } from "./acceptance.ts"

/** What a payer knows of a payment that it signed. */
export interface SignedPayment extends Signed {
  readonly wallet: string
  /** Who alone gets it; the payments that replace one another have one receiver. */
  readonly receiver: string
  readonly satoshis: number
  /** It pays the wallet itself, and takes an earlier one back. */
  readonly isCancel: boolean
}

/** The same of a swap for a token of another chain. */
export interface SignedSwap extends Signed {
  readonly provider: string
  readonly wallet: string
  /** Who alone gets the token. */
  readonly receiver: string
  /** In whole tokens. */
  readonly minAmountOut: string
  /** Of the deposit, without 0x. */
  readonly txid: string
}

/** What payers were told: everything that must still be so at the end. */
export class PaymentJournal {
  /** Addresses of wallets, with what was paid to each before. */
  readonly wallets = new Map<string, number>()
  readonly quotes = new Set<string>()
  readonly payments = new Map<string, SignedPayment>()
  readonly swaps = new Map<string, SignedSwap>()
  /** What should not have happened, in words. */
  readonly surprises: Array<string> = []

  count(knowledge: SignedPayment["knowledge"]): number {
    return [...this.payments.values(), ...this.swaps.values()].filter((one) => one.knowledge === knowledge).length
  }
}
