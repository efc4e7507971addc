import { assert, describe, it } from "@effect/vitest"
import { type AuditInput, audit, type PaymentRecord } from "./auditPayments.ts"
import type { ChainTransaction } from "./esplora.ts"
import { PaymentJournal, type SignedPayment, type SignedSwap } from "./PaymentJournal.ts"

const output = (address: string, value: number) => ({ scriptpubkey_address: address, value })
const minedTransaction = (
  txid: string,
  vin: ReadonlyArray<number>,
  vout: ChainTransaction["vout"]
): ChainTransaction => ({
  txid,
  fee: 0,
  vin: vin.map((value) => ({ prevout: output("wallet", value) })),
  vout,
  status: { confirmed: true }
})
const record = (fields: Partial<PaymentRecord> & { readonly id: string; readonly hash: string | null }) => {
  const { hash, ...others } = fields
  return {
    type: "TRANSFER",
    status: "COMPLETED",
    transactionHash: hash === null ? null : { hash: `0x${hash}` },
    movements: [],
    ...others
  }
}
const payment = (fields: Partial<SignedPayment> = {}): SignedPayment => ({
  quoteId: "quote",
  wallet: "wallet",
  receiver: "receiver",
  satoshis: 300,
  isCancel: false,
  knowledge: "PROMISED",
  transactionId: "id",
  ...fields
})

const deposit = record({
  id: "deposit",
  hash: "aa",
  type: "CRYPTO_DEPOSIT",
  movements: [{ direction: "IN", amount: "0.00001" }]
})
const paidRecord = record({
  id: "id",
  hash: "bb",
  movements: [
    { direction: "OUT", amount: "0.000003" },
    { direction: "OUT", amount: "0.0000001" }
  ]
})
const chain = [
  minedTransaction("aa", [], [output("wallet", 1_000)]),
  minedTransaction("bb", [1_000], [output("receiver", 300), output("wallet", 690)])
]

/**
 * Returns the problems of a deposit of 1,000 satoshis and a payment of 300 with a fee of 10. Without changes there are
 * none.
 */
const problems = (
  told: {
    readonly records?: ReadonlyArray<PaymentRecord>
    readonly minedTransactions?: ReadonlyArray<ChainTransaction>
  } = {},
  received: AuditInput["received"] = new Map([["receiver", 300]]),
  payments: ReadonlyArray<SignedPayment> = [payment()]
) => {
  const journal = new PaymentJournal()
  for (const signedPayment of payments) journal.payments.set(signedPayment.quoteId, signedPayment)
  const wallet = { address: "wallet", records: [deposit, paidRecord], minedTransactions: chain, ...told }
  return audit(journal, { wallets: [wallet], received, payouts: new Map() })
}

const assertFound = (foundProblems: ReadonlyArray<string>, message: RegExp) =>
  assert.match(foundProblems.join("\n"), message)

describe("the audit of Bitcoin payments after kills", () => {
  it("reports nothing if all records agree", () => {
    assert.deepStrictEqual(problems(), [])
  })

  it("reports a lost or pending payment that was accepted", () => {
    assertFound(problems({ records: [deposit] }), /quote was promised and is not in the history/u)
    assertFound(problems({ records: [deposit, { ...paidRecord, status: "PROCESSING" }] }), /quote is PROCESSING/u)
    assertFound(problems({ records: [deposit, { ...paidRecord, status: "FAILED" }] }), /quote is FAILED/u)
  })

  it("reports transactions that are missing in the history, listed twice, or listed with another type", () => {
    assertFound(problems({ records: [paidRecord] }), /CRYPTO_DEPOSIT aa is recorded as nothing/u)
    assertFound(
      problems({ records: [deposit, paidRecord, { ...paidRecord, id: "again" }] }),
      /TRANSFER bb is recorded as TRANSFER,TRANSFER/u
    )
    assertFound(
      problems({ records: [deposit, { ...paidRecord, type: "CRYPTO_WITHDRAW" }] }),
      /is recorded as CRYPTO_WITHDRAW/u
    )
    assertFound(problems({ minedTransactions: [chain[0]!] }), /bb is COMPLETED and not on the chain/u)
  })

  it("reports a missing satoshi", () => {
    const smallerDeposit = { ...deposit, movements: [{ direction: "IN" as const, amount: "0.00000999" }] }
    assertFound(problems({ records: [smallerDeposit, paidRecord] }), /adds up to 689 satoshis, and the chain to 690/u)
  })

  it("reports a receiver who got another amount, nothing, or a cancelled payment", () => {
    assertFound(problems({}, new Map([["receiver", 600]])), /receiver got 600 and not 300/u)
    assertFound(problems({}, new Map()), /quote has happened, and receiver got 0/u)
    assertFound(problems({}, undefined, [payment({ isCancel: true })]), /quote has happened, and receiver got 300/u)
  })

  it("reports a payment and its replacement that were both executed", () => {
    const bothPayments = [payment(), payment({ quoteId: "bump", transactionId: "deposit" })]
    assertFound(problems({}, undefined, bothPayments), /quote,bump have all happened/u)
  })
})

describe("the audit of swaps after kills", () => {
  const leg = (id: number, hash: string) => ({ chain: { id }, transactionHash: { hash: `0x${hash}` } })
  const swap: SignedSwap = {
    quoteId: "swap",
    provider: "THORCHAIN",
    wallet: "wallet",
    receiver: "0xreceiver",
    minAmountOut: "90",
    txid: "bb",
    knowledge: "PROMISED",
    transactionId: "id"
  }
  const outMovement = { direction: "OUT", amount: "0.0000031", account: "wallet" } as const
  const completedRecord: PaymentRecord = {
    ...record({ id: "id", hash: "bb", type: "CROSS_SWAP" }),
    legs: [leg(0, "bb"), leg(1, "ee")],
    receivedAmount: { amount: "95.5" },
    movements: [outMovement, { direction: "IN", amount: "95.5", account: "0xreceiver" }]
  }
  const inMovement = { direction: "IN", amount: "0.0000029", account: "wallet" } as const
  const refundedRecord: PaymentRecord = {
    ...completedRecord,
    status: "REFUNDED",
    legs: [leg(0, "bb"), leg(0, "cc")],
    movements: [outMovement, inMovement]
  }
  const refund = minedTransaction("cc", [], [output("wallet", 290)])

  const foundRecord = (
    records: ReadonlyArray<PaymentRecord>,
    paid: ReadonlyArray<bigint> = [95_500_000n],
    changes: { readonly swap?: Partial<SignedSwap>; readonly minedTransactions?: ReadonlyArray<ChainTransaction> } = {}
  ) => {
    const journal = new PaymentJournal()
    journal.swaps.set("swap", { ...swap, ...changes.swap })
    const wallet = {
      address: "wallet",
      records: [deposit, ...records],
      minedTransactions: changes.minedTransactions ?? chain
    }
    return audit(journal, { wallets: [wallet], received: new Map(), payouts: new Map([["0xreceiver", paid]]) })
  }

  it("reports nothing if each ended once, with a payout or a refund", () => {
    assert.deepStrictEqual(foundRecord([completedRecord]), [])
    assert.deepStrictEqual(foundRecord([refundedRecord], [], { minedTransactions: [...chain, refund] }), [])
    const unknownSwap = { swap: { knowledge: "UNKNOWN", transactionId: null }, minedTransactions: [chain[0]!] } as const
    assert.deepStrictEqual(foundRecord([], [], unknownSwap), [])
  })

  it("reports one that is lost, recorded twice, or pending", () => {
    assertFound(foundRecord([], []), /swap was promised and is not in the history/u)
    assertFound(foundRecord([completedRecord, { ...completedRecord, id: "again" }]), /swap has 2 records/u)
    assertFound(foundRecord([{ ...completedRecord, status: "ON_BRIDGE" }]), /swap is ON_BRIDGE/u)
    assertFound(foundRecord([], [], { swap: { knowledge: "UNKNOWN" } }), /has no record, and has happened/u)
  })

  it("reports payouts that are missing, duplicate, of another amount, or in addition to a refund", () => {
    assertFound(foundRecord([completedRecord], []), /was paid 0 times/u)
    assertFound(foundRecord([completedRecord], [95_500_000n, 95_500_000n]), /was paid 2 times/u)
    assertFound(foundRecord([completedRecord], [95_400_000n]), /records 95500000, and 0xreceiver got 95400000/u)
    assertFound(foundRecord([{ ...completedRecord, receivedAmount: { amount: "1" } }], [1_000_000n]), /less than 90/u)
    assertFound(
      foundRecord([refundedRecord], [1n], { minedTransactions: [...chain, refund] }),
      /is REFUNDED, and 0xreceiver was paid 1/u
    )
    assertFound(foundRecord([{ ...refundedRecord, movements: [outMovement] }], []), /records 0 refunds/u)
  })

  it("reports a refund that is also recorded as a deposit", () => {
    const doubledRecord = record({ id: "cc", hash: "cc", type: "CRYPTO_DEPOSIT", movements: [inMovement] })
    assertFound(
      foundRecord([refundedRecord, doubledRecord], [], { minedTransactions: [...chain, refund] }),
      /belongs to a swap, and is also recorded/u
    )
  })
})
