import { assert, describe, it } from "@effect/vitest"
import type { WebhookEvent } from "../audit.ts"
import { FiatJournal } from "./FiatJournal.ts"
import { type FiatRecords, fiatAudit, totalsOf } from "./fiatAudit.ts"

const event = (resource: string, sequence: number, type: string): WebhookEvent => ({
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
  const amounts = (currency: string, amount: string) => ({ currency, amount })
  const records: FiatRecords = {
    orders: [
      {
        id: "d1",
        direction: "DEPOSIT",
        status: "COMPLETED",
        walletAddress: "0xw",
        from: amounts("BRL", "54.1"),
        to: amounts("USDC", "9.83")
      },
      {
        id: "d2",
        direction: "DEPOSIT",
        status: "REFUNDED",
        walletAddress: "0xw",
        from: amounts("BRL", "20"),
        to: amounts("USDC", "3.51")
      },
      {
        id: "w1",
        direction: "WITHDRAWAL",
        status: "COMPLETED",
        walletAddress: "0xw",
        from: amounts("USDC", "10"),
        to: amounts("BRL", "53")
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
    event("d1", 1, "ramp.deposit.created"),
    event("d1", 2, "ramp.deposit.completed"),
    event("d2", 1, "ramp.deposit.created"),
    event("d2", 2, "ramp.deposit.refunded"),
    event("w1", 1, "ramp.withdrawal.created"),
    event("w1", 2, "ramp.withdrawal.completed")
  ]
  return { journal, records, events }
}

const problems = (change: (records: FiatRecords) => Partial<FiatRecords>) => {
  const { events, journal, records } = inputWithoutProblems()
  return fiatAudit(journal, { ...records, ...change(records) }, events).join("; ")
}

describe("the audit of fiat after kills", () => {
  it("reports nothing if the bank, the orders, the history and the chain agree", () => {
    assert.strictEqual(
      problems(() => ({})),
      ""
    )
    assert.deepStrictEqual(totalsOf(inputWithoutProblems().records.ledger).get("BRL"), { got: 7_460n, given: 7_350n })
  })

  it("reports each difference of a cent", () => {
    const problemsWithout = (omittedIndex: number) =>
      problems(({ ledger }) => ({ ledger: ledger.filter((_, nth) => nth !== omittedIndex) }))
    for (let omittedIndex = 0; omittedIndex < 6; omittedIndex++)
      assert.match(problemsWithout(omittedIndex), /the bank has/u)
    assert.match(
      problems(({ ledger }) => ({ ledger: [...ledger, { key: "d1", code: "USDC", cents: "-983" }] })),
      /-1966 cents of USDC and not -983/u
    )
    assert.match(
      problems(() => ({ givenUnits: new Map([["0xw", 984n]]) })),
      /983 cents given to 0xw, the chain has 984/u
    )
    assert.match(
      problems(() => ({ takenUnits: new Map() })),
      /1000 cents taken from 0xw, the chain has 0/u
    )
    assert.match(
      problems(({ transactions: [first, ...others] }) => ({
        transactions: [{ ...first!, receivedAmount: { amount: "9.84" } }, ...others]
      })),
      /54.1 for 9.83, in the history 54.1 for 9.84/u
    )
  })

  it("reports lost, duplicate and pending orders", () => {
    assert.match(
      problems(({ orders }) => ({ orders: orders.slice(1) })),
      /order d1 is lost.*d1, which is no order/u
    )
    assert.match(
      problems(({ transactions }) => ({ transactions: [...transactions, transactions[0]!] })),
      /d1 has 2 transactions/u
    )
    assert.match(
      problems(({ transactions }) => ({
        transactions: [
          ...transactions,
          { id: "t4", type: "CRYPTO_DEPOSIT", status: "COMPLETED", transactionHash: { hash: "0x1" } }
        ]
      })),
      /CRYPTO_DEPOSIT t4 is what an order did/u
    )
    assert.match(
      problems(({ orders: [first, ...others] }) => ({ orders: [{ ...first!, status: "PROCESSING" }, ...others] })),
      /d1 is still PROCESSING.*reported as ramp.deposit.completed/u
    )
  })
})
