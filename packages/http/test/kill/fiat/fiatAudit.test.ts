import { assert, describe, it } from "@effect/vitest"
import type { WebhookEvent } from "../audit.ts"
import { FiatJournal } from "./FiatJournal.ts"
import { auditFiat, type FiatRecords, totalsOf } from "./fiatAudit.ts"

const makeEvent = (resource: string, sequence: number, type: string): WebhookEvent => ({
  id: `${resource} ${sequence}`,
  type,
  resource,
  sequence
})

/** Returns input without problems: a completed deposit, a returned deposit, and a paid withdrawal. */
const inputWithoutProblems = () => {
  const journal = new FiatJournal()
  journal.wallets.add("0xw")
  for (const [id, direction] of [
    ["d1", "DEPOSIT"],
    ["d2", "DEPOSIT"],
    ["w1", "WITHDRAWAL"]
  ] as const) {
    journal.recordCreated({ id, direction, wallet: "0xw", hash: null })
  }
  const amountIn = (currency: string, amount: string) => ({ currency, amount })
  const records: FiatRecords = {
    orders: [
      {
        id: "d1",
        direction: "DEPOSIT",
        status: "COMPLETED",
        walletAddress: "0xw",
        from: amountIn("BRL", "54.1"),
        to: amountIn("USDC", "9.83")
      },
      {
        id: "d2",
        direction: "DEPOSIT",
        status: "REFUNDED",
        walletAddress: "0xw",
        from: amountIn("BRL", "20"),
        to: amountIn("USDC", "3.51")
      },
      {
        id: "w1",
        direction: "WITHDRAWAL",
        status: "COMPLETED",
        walletAddress: "0xw",
        from: amountIn("USDC", "10"),
        to: amountIn("BRL", "53")
      }
    ],
    transactions: [
      {
        id: "t1",
        type: "FIAT_DEPOSIT",
        status: "COMPLETED",
        fiat: { orderId: "d1" },
        transactionHash: { hash: "0x1" },
        sentAmount: { amount: "54.1" },
        receivedAmount: { amount: "9.83" }
      },
      {
        id: "t2",
        type: "FIAT_DEPOSIT",
        status: "REFUNDED",
        fiat: { orderId: "d2" },
        sentAmount: { amount: "20.5" },
        receivedAmount: { amount: "20.5" }
      },
      {
        id: "t3",
        type: "FIAT_WITHDRAWAL",
        status: "COMPLETED",
        fiat: { orderId: "w1" },
        sentAmount: { amount: "10" },
        receivedAmount: { amount: "53" }
      }
    ],
    ledger: [
      { key: "d1", code: "BRL", cents: "5410" },
      { key: "d1", code: "USDC", cents: "-983" },
      { key: "d2", code: "BRL", cents: "2050" },
      { key: "d2", code: "BRL", cents: "-2050" },
      { key: "w1", code: "USDC", cents: "1000" },
      { key: "w1", code: "BRL", cents: "-5300" }
    ],
    givenUnits: new Map([["0xw", 983n]]),
    takenUnits: new Map([["0xw", 1_000n]])
  }
  const events = [
    makeEvent("d1", 1, "ramp.deposit.created"),
    makeEvent("d1", 2, "ramp.deposit.completed"),
    makeEvent("d2", 1, "ramp.deposit.created"),
    makeEvent("d2", 2, "ramp.deposit.refunded"),
    makeEvent("w1", 1, "ramp.withdrawal.created"),
    makeEvent("w1", 2, "ramp.withdrawal.completed")
  ]
  return { journal, records, events }
}

const findProblems = (change: (records: FiatRecords) => Partial<FiatRecords>) => {
  const { events, journal, records } = inputWithoutProblems()
  return auditFiat(journal, { ...records, ...change(records) }, events).join("; ")
}

describe("the audit of fiat after kills", () => {
  it("reports nothing if the bank, the orders, the history and the chain agree", () => {
    assert.strictEqual(
      findProblems(() => ({})),
      ""
    )
    assert.deepStrictEqual(totalsOf(inputWithoutProblems().records.ledger).get("BRL"), { got: 7_460n, given: 7_350n })
  })

  it("reports each difference of a cent", () => {
    const findProblemsWithout = (omittedIndex: number) =>
      findProblems(({ ledger }) => ({ ledger: ledger.filter((_, nth) => nth !== omittedIndex) }))
    for (let omittedIndex = 0; omittedIndex < 6; omittedIndex++)
      assert.match(findProblemsWithout(omittedIndex), /the bank has/u)
    assert.match(
      findProblems(({ ledger }) => ({ ledger: [...ledger, { key: "d1", code: "USDC", cents: "-983" }] })),
      /-1966 cents of USDC and not -983/u
    )
    assert.match(
      findProblems(() => ({ givenUnits: new Map([["0xw", 984n]]) })),
      /983 cents given to 0xw, the chain has 984/u
    )
    assert.match(
      findProblems(() => ({ takenUnits: new Map() })),
      /1000 cents taken from 0xw, the chain has 0/u
    )
    assert.match(
      findProblems(({ transactions: [first, ...others] }) => ({
        transactions: [{ ...first!, receivedAmount: { amount: "9.84" } }, ...others]
      })),
      /54.1 for 9.83, in the history 54.1 for 9.84/u
    )
  })

  it("reports lost, duplicate and pending orders", () => {
    assert.match(
      findProblems(({ orders }) => ({ orders: orders.slice(1) })),
      /order d1 is lost.*d1, which is no order/u
    )
    assert.match(
      findProblems(({ transactions }) => ({ transactions: [...transactions, transactions[0]!] })),
      /d1 has 2 transactions/u
    )
    assert.match(
      findProblems(({ transactions }) => ({
        transactions: [
          ...transactions,
          { id: "t4", type: "CRYPTO_DEPOSIT", status: "COMPLETED", transactionHash: { hash: "0x1" } }
        ]
      })),
      /CRYPTO_DEPOSIT t4 is what an order did/u
    )
    assert.match(
      findProblems(({ orders: [first, ...others] }) => ({ orders: [{ ...first!, status: "PROCESSING" }, ...others] })),
      /d1 is still PROCESSING.*reported as ramp.deposit.completed/u
    )
  })
})
