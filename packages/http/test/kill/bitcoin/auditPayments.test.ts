import { assert, describe, it } from "@effect/vitest"
import { type AuditInput, audit, type PaymentRecord } from "./auditPayments.ts"
import type { ChainTransaction } from "./esplora.ts"
import { PaymentJournal, type SignedPayment, type SignedSwap } from "./PaymentJournal.ts"

const outputOf = (address: string, value: number) => ({ scriptpubkey_address: address, value })
const makeMinedTransaction = (
  txid: string,
  vin: ReadonlyArray<number>,
  vout: ChainTransaction["vout"]
): ChainTransaction => ({
  txid,
  fee: 0,
  vin: vin.map((value) => ({ prevout: outputOf("wallet", value) })),
  vout,
  status: { confirmed: true }
})
const makeRecord = (fields: Partial<PaymentRecord> & { readonly id: string; readonly hash: string | null }) => {
  const { hash, ...others } = fields
  return {
    type: "TRANSFER",
    status: "COMPLETED",
    transactionHash: hash === null ? null : { hash: `0x${hash}` },
    movements: [],
    ...others
  }
}
const makePayment = (fields: Partial<SignedPayment> = {}): SignedPayment => ({
  quoteId: "quote",
  wallet: "wallet",
  receiver: "receiver",
  satoshis: 300,
  isCancel: false,
  knowledge: "PROMISED",
  transactionId: "id",
  ...fields
})

const depositRecord = makeRecord({
  id: "deposit",
  hash: "aa",
  type: "CRYPTO_DEPOSIT",
  movements: [{ direction: "IN", amount: "0.00001" }]
})
const paidRecord = makeRecord({
  id: "id",
  hash: "bb",
  movements: [
    { direction: "OUT", amount: "0.000003" },
    { direction: "OUT", amount: "0.0000001" }
  ]
})
const chainTransactions = [
  makeMinedTransaction("aa", [], [outputOf("wallet", 1_000)]),
  makeMinedTransaction("bb", [1_000], [outputOf("receiver", 300), outputOf("wallet", 690)])
]

/**
 * Returns the problems of a deposit of 1,000 satoshis and a payment of 300 with a fee of 10. Without changes there are
 * none.
 */
const findProblems = (
  changes: {
    readonly records?: ReadonlyArray<PaymentRecord>
    readonly minedTransactions?: ReadonlyArray<ChainTransaction>
  } = {},
  receivedAmounts: AuditInput["received"] = new Map([["receiver", 300]]),
  payments: ReadonlyArray<SignedPayment> = [makePayment()]
) => {
  const journal = new PaymentJournal()
  for (const signedPayment of payments) journal.payments.set(signedPayment.quoteId, signedPayment)
  const wallet = {
    address: "wallet",
    records: [depositRecord, paidRecord],
    minedTransactions: chainTransactions,
    ...changes
  }
  return audit(journal, { wallets: [wallet], received: receivedAmounts, payouts: new Map() })
}

const assertProblem = (foundProblems: ReadonlyArray<string>, message: RegExp) =>
  assert.match(foundProblems.join("\n"), message)

describe("the audit of Bitcoin payments after kills", () => {
  it("reports nothing if all records agree", () => {
    assert.deepStrictEqual(findProblems(), [])
  })

  it("reports a lost or pending payment that was accepted", () => {
    assertProblem(findProblems({ records: [depositRecord] }), /quote was promised and is not in the history/u)
    assertProblem(
      findProblems({ records: [depositRecord, { ...paidRecord, status: "PROCESSING" }] }),
      /quote is PROCESSING/u
    )
    assertProblem(findProblems({ records: [depositRecord, { ...paidRecord, status: "FAILED" }] }), /quote is FAILED/u)
  })

  it("reports transactions that are missing in the history, listed twice, or listed with another type", () => {
    assertProblem(findProblems({ records: [paidRecord] }), /CRYPTO_DEPOSIT aa is recorded as nothing/u)
    assertProblem(
      findProblems({ records: [depositRecord, paidRecord, { ...paidRecord, id: "again" }] }),
      /TRANSFER bb is recorded as TRANSFER,TRANSFER/u
    )
    assertProblem(
      findProblems({ records: [depositRecord, { ...paidRecord, type: "CRYPTO_WITHDRAW" }] }),
      /is recorded as CRYPTO_WITHDRAW/u
    )
    assertProblem(findProblems({ minedTransactions: [chainTransactions[0]!] }), /bb is COMPLETED and not on the chain/u)
  })

  it("reports a missing satoshi", () => {
    const smallerDeposit = { ...depositRecord, movements: [{ direction: "IN" as const, amount: "0.00000999" }] }
    assertProblem(
      findProblems({ records: [smallerDeposit, paidRecord] }),
      /adds up to 689 satoshis, and the chain to 690/u
    )
  })

  it("reports a receiver who got another amount, nothing, or a cancelled payment", () => {
    assertProblem(findProblems({}, new Map([["receiver", 600]])), /receiver got 600 and not 300/u)
    assertProblem(findProblems({}, new Map()), /quote has happened, and receiver got 0/u)
    assertProblem(
      findProblems({}, undefined, [makePayment({ isCancel: true })]),
      /quote has happened, and receiver got 300/u
    )
  })

  it("reports a payment and its replacement that were both executed", () => {
    const bothPayments = [makePayment(), makePayment({ quoteId: "bump", transactionId: "deposit" })]
    assertProblem(findProblems({}, undefined, bothPayments), /quote,bump have all happened/u)
  })
})

describe("the audit of swaps after kills", () => {
  const legOf = (id: number, hash: string) => ({ chain: { id }, transactionHash: { hash: `0x${hash}` } })
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
    ...makeRecord({ id: "id", hash: "bb", type: "CROSS_SWAP" }),
    legs: [legOf(0, "bb"), legOf(1, "ee")],
    receivedAmount: { amount: "95.5" },
    movements: [outMovement, { direction: "IN", amount: "95.5", account: "0xreceiver" }]
  }
  const inMovement = { direction: "IN", amount: "0.0000029", account: "wallet" } as const
  const refundedRecord: PaymentRecord = {
    ...completedRecord,
    status: "REFUNDED",
    legs: [legOf(0, "bb"), legOf(0, "cc")],
    movements: [outMovement, inMovement]
  }
  const refundTransaction = makeMinedTransaction("cc", [], [outputOf("wallet", 290)])

  const findSwapProblems = (
    records: ReadonlyArray<PaymentRecord>,
    payouts: ReadonlyArray<bigint> = [95_500_000n],
    changes: { readonly swap?: Partial<SignedSwap>; readonly minedTransactions?: ReadonlyArray<ChainTransaction> } = {}
  ) => {
    const journal = new PaymentJournal()
    journal.swaps.set("swap", { ...swap, ...changes.swap })
    const wallet = {
      address: "wallet",
      records: [depositRecord, ...records],
      minedTransactions: changes.minedTransactions ?? chainTransactions
    }
    return audit(journal, { wallets: [wallet], received: new Map(), payouts: new Map([["0xreceiver", payouts]]) })
  }

  it("reports nothing if each ended once, with a payout or a refund", () => {
    assert.deepStrictEqual(findSwapProblems([completedRecord]), [])
    assert.deepStrictEqual(
      findSwapProblems([refundedRecord], [], { minedTransactions: [...chainTransactions, refundTransaction] }),
      []
    )
    const unknownSwap = {
      swap: { knowledge: "UNKNOWN", transactionId: null },
      minedTransactions: [chainTransactions[0]!]
    } as const
    assert.deepStrictEqual(findSwapProblems([], [], unknownSwap), [])
  })

  it("reports one that is lost, recorded twice, or pending", () => {
    assertProblem(findSwapProblems([], []), /swap was promised and is not in the history/u)
    assertProblem(findSwapProblems([completedRecord, { ...completedRecord, id: "again" }]), /swap has 2 records/u)
    assertProblem(findSwapProblems([{ ...completedRecord, status: "ON_BRIDGE" }]), /swap is ON_BRIDGE/u)
    assertProblem(findSwapProblems([], [], { swap: { knowledge: "UNKNOWN" } }), /has no record, and has happened/u)
  })

  it("reports payouts that are missing, duplicate, of another amount, or in addition to a refund", () => {
    assertProblem(findSwapProblems([completedRecord], []), /was paid 0 times/u)
    assertProblem(findSwapProblems([completedRecord], [95_500_000n, 95_500_000n]), /was paid 2 times/u)
    assertProblem(findSwapProblems([completedRecord], [95_400_000n]), /records 95500000, and 0xreceiver got 95400000/u)
    assertProblem(
      findSwapProblems([{ ...completedRecord, receivedAmount: { amount: "1" } }], [1_000_000n]),
      /less than 90/u
    )
    assertProblem(
      findSwapProblems([refundedRecord], [1n], { minedTransactions: [...chainTransactions, refundTransaction] }),
      /is REFUNDED, and 0xreceiver was paid 1/u
    )
    assertProblem(findSwapProblems([{ ...refundedRecord, movements: [outMovement] }], []), /records 0 refunds/u)
  })

  it("reports a refund that is also recorded as a deposit", () => {
    const doubledRecord = makeRecord({ id: "cc", hash: "cc", type: "CRYPTO_DEPOSIT", movements: [inMovement] })
    assertProblem(
      findSwapProblems([refundedRecord, doubledRecord], [], {
        minedTransactions: [...chainTransactions, refundTransaction]
      }),
      /belongs to a swap, and is also recorded/u
    )
  })
})
