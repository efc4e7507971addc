import { assert, describe, it } from "@effect/vitest"
import { audit, type ChainState, type WebhookEvent } from "./audit.ts"
import { Journal } from "./Journal.ts"
import type { Records, TransactionRecord } from "./Records.ts"

const transaction: TransactionRecord = {
  id: "id",
  type: "TRANSFER",
  status: "COMPLETED",
  userOperationHash: "0xa",
  transactionHash: { hash: "0xb" }
}

const makeEvent = (type: string, resource: string, sequence: number): WebhookEvent => ({
  id: `${resource} ${sequence}`,
  type,
  resource,
  sequence
})

/** Returns input without problems: a wallet, an accepted transfer of 5 to "0xr", and a quote that was not signed. */
const inputWithoutProblems = () => {
  const journal = new Journal()
  journal.registered("0xw")
  const operation = { type: "TRANSFER", path: "", body: {}, wallet: "0xw", payments: new Map([["0xr", 5n]]) } as const
  journal.quoted("0xa", operation)
  journal.quoted("0xc", { ...operation, payments: new Map([["0xs", 6n]]) })
  journal.promised("0xa", "id")
  const records: Records = {
    wallets: new Set(["0xw"]),
    operations: new Set(["0xa", "0xc"]),
    transactions: [transaction]
  }
  const chain: ChainState = { isSteady: true, times: new Map([["0xa", 1]]), received: new Map([["0xr", 5n]]) }
  const events = [
    makeEvent("wallet.registered", "0xw", 1),
    makeEvent("transaction.created", "id", 1),
    makeEvent("transaction.completed", "id", 2)
  ]
  return { journal, records, chain, events }
}

type AuditInput = ReturnType<typeof inputWithoutProblems>

const findProblems = (change: (input: AuditInput) => Partial<AuditInput> = () => ({})) => {
  const auditInput = inputWithoutProblems()
  const { chain, events, journal, records } = { ...auditInput, ...change(auditInput) }
  return audit(journal, records, chain, events)
}

const replaceTransaction = (fields: Partial<TransactionRecord>) => (auditInput: AuditInput) => ({
  records: { ...auditInput.records, transactions: [{ ...transaction, ...fields }] }
})

describe("the audit after kills", () => {
  it("reports nothing if all records agree, also if an event was delivered twice", () => {
    assert.deepStrictEqual(findProblems(), [])
    assert.deepStrictEqual(
      findProblems(({ events }) => ({ events: [...events, ...events] })),
      []
    )
  })

  it("accepts detected transfers without an operation, except those that an operation made", () => {
    const deposit = { ...transaction, id: "found", type: "CRYPTO_DEPOSIT", userOperationHash: null }
    const problemsWithDeposit = (hash: string) =>
      findProblems(({ events, records }) => ({
        records: { ...records, transactions: [transaction, { ...deposit, transactionHash: { hash } }] },
        events: [
          ...events,
          makeEvent("transaction.created", "found", 1),
          makeEvent("transaction.completed", "found", 2)
        ]
      }))
    assert.deepStrictEqual(problemsWithDeposit("0xf"), [])
    assert.match(problemsWithDeposit("0xb").join(), /found is what an operation of the wallet did/u)
  })

  it("accepts an end that a reorg removed only if there were reorgs", () => {
    const problemsAfterReorg = (isSteady: boolean) =>
      findProblems(({ chain, events }) => ({
        chain: { ...chain, isSteady },
        events: [...events, makeEvent("transaction.reorged", "id", 3), makeEvent("transaction.completed", "id", 4)]
      }))
    assert.deepStrictEqual(problemsAfterReorg(false), [])
    assert.match(problemsAfterReorg(true).join(), /reported as .*reorged/u)
  })

  it.each<[string, (all: AuditInput) => Partial<AuditInput>, RegExp]>([
    [
      "a lost wallet",
      ({ records }) => ({ records: { ...records, wallets: new Set() } }),
      /registration of 0xw is lost/u
    ],
    [
      "a lost quote",
      ({ records }) => ({ records: { ...records, operations: new Set(["0xa"]) } }),
      /quote of 0xc is lost/u
    ],
    ["a lost execution", ({ records }) => ({ records: { ...records, transactions: [] } }), /promised and is not in/u],
    [
      "an operation that is on the chain twice",
      ({ chain }) => ({ chain: { ...chain, times: new Map([["0xa", 2]]) } }),
      /0xa is 2 times on the chain/u
    ],
    [
      "an operation that never came to the chain",
      ({ chain }) => ({ chain: { ...chain, times: new Map() } }),
      /0xa is 0 times on the chain/u
    ],
    [
      "an operation without an acceptance",
      ({ chain }) => ({ chain: { ...chain, times: new Map([...chain.times, ["0xc", 1]]) } }),
      /0xc is on the chain and not in the history/u
    ],
    [
      "an operation of another client",
      ({ chain }) => ({ chain: { ...chain, times: new Map([...chain.times, ["0xd", 1]]) } }),
      /0xd was never quoted/u
    ],
    [
      "a payment made twice",
      ({ chain }) => ({ chain: { ...chain, received: new Map([["0xr", 10n]]) } }),
      /0xr got 10 and not 5/u
    ],
    [
      "a payment of an operation that was not accepted",
      ({ chain }) => ({ chain: { ...chain, received: new Map([...chain.received, ["0xs", 6n]]) } }),
      /0xc was not accepted and paid 0xs/u
    ],
    ["an operation that never ends", replaceTransaction({ status: "PROCESSING" }), /0xa is still PROCESSING/u],
    ["a failure that paid", replaceTransaction({ status: "FAILED" }), /0xr got 5 and not 0/u],
    [
      "another transaction than was promised",
      replaceTransaction({ id: "other" }),
      /promised as transaction id and is other/u
    ],
    ["another type", replaceTransaction({ type: "SWAP" }), /a TRANSFER, recorded as SWAP/u],
    [
      "an unreported end",
      ({ events }) => ({ events: events.slice(0, 2) }),
      /COMPLETED and reported as transaction.created$/u
    ],
    ["a gap in the events", ({ events }) => ({ events: events.toSpliced(1, 1) }), /id has events 2/u],
    [
      "two events under one number",
      ({ events }) => ({ events: [...events, { ...events[2]!, id: "another" }] }),
      /id has events 1,2,2/u
    ]
  ])("finds %s", (_, change, expected) => {
    assert.match(findProblems(change).join("\n"), expected)
  })
})
