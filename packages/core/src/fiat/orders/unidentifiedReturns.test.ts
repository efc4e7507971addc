import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HistoryStore, MAX_HISTORY_PAGE, type Transaction, TransferClaims } from "../../accounting/history/index.ts"
import { aMovement, aTransaction } from "../../accounting/history/Transaction.fixture.ts"
import { aHash, anAddress } from "../../foundation/primitives/ids.fixture.ts"
import type { Hash32 } from "../../foundation/primitives/index.ts"
import { ActivityStore } from "../../wallets/chain-activity/index.ts"
import { TokenTransfers } from "../provider/TokenTransfers.ts"
import { aFiatOrder, aFiatQuote } from "./FiatOrder.fixture.ts"
import { unidentifiedReturns } from "./unidentifiedReturns.ts"

const quote = aFiatQuote({ direction: "WITHDRAWAL" })
const order = aFiatOrder(quote, { state: "FAILED", providerOrder: "tr_1" })
const { chainId, token } = quote
const provider = anAddress()
const AMOUNT = 18_000_000n

const legIn = (hash: Hash32, number: bigint) =>
  ({ chainId, hash, block: { number, hash: aHash() }, state: "FINAL", stage: 0 }) as const

const movement = { asset: { chainId, token: token.address }, amount: AMOUNT, counterparty: provider }
const withdrawal = aTransaction({
  projectId: quote.projectId,
  legs: [legIn(aHash(), 100n)],
  movements: [aMovement({ ...movement, direction: "OUT" })]
})

/** A history entry of tokens that the wallet received from this account. */
const aDeposit = (hash: Hash32, counterparty: string) =>
  aTransaction({
    type: "CRYPTO_DEPOSIT",
    status: "COMPLETED",
    legs: [legIn(hash, 200n)],
    movements: [aMovement({ ...movement, direction: "IN", counterparty })]
  })

/** Searches for the return. The watcher has deleted its data of all transfers, because their blocks are final. */
const findReturn = (pages: ReadonlyArray<ReadonlyArray<Transaction>>, blockNumber = 200n) =>
  Effect.flatMap(unidentifiedReturns, (find) => find(order, withdrawal)).pipe(
    Effect.provide([
      Layer.mock(ActivityStore, { listSince: () => Effect.succeed([]), listRecorded: () => Effect.succeed([]) }),
      Layer.mock(HistoryStore, {
        list: ({ after }) =>
          Effect.sync(() => (after === null ? pages[0]! : pages[pages.findIndex((page) => page.at(-1) === after) + 1]!))
      }),
      Layer.mock(TokenTransfers, {
        find: (search) =>
          Effect.succeed({
            chainId: search.chainId,
            hash: search.hash,
            block: { number: blockNumber, hash: aHash() },
            timestamp: 0,
            transfers: [{ index: 0, amount: AMOUNT, counterparty: provider }]
          })
      }),
      TransferClaims.layerMemory
    ])
  )

describe("The return of a withdrawal whose transfer the provider does not name", () => {
  it.effect("is found in the history after its block is final, also behind newer deposits", () =>
    Effect.gen(function* () {
      const hash = aHash()
      const newerDeposits = Array.from({ length: MAX_HISTORY_PAGE }, () => aDeposit(aHash(), anAddress()))
      assert.strictEqual(yield* findReturn([[aDeposit(hash, provider)]]), hash)
      assert.strictEqual(yield* findReturn([newerDeposits, [aDeposit(hash, provider)]]), hash)
      assert.isNull(yield* findReturn([newerDeposits, []]))
    })
  )

  it.effect("is in a later block than the withdrawal", () =>
    Effect.gen(function* () {
      assert.isNull(yield* findReturn([[aDeposit(aHash(), provider)]], 100n))
    })
  )
})
