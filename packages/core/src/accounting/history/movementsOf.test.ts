import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { aHash, anAddress, at } from "../../foundation/primitives/ids.fixture.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { HistoryStore } from "./HistoryStore.ts"
import { movementsOf } from "./movementsOf.ts"
import { aMovement, aTransaction, recordedMovementsOf } from "./Transaction.fixture.ts"

const [projectId, account] = [aProjectId(), anAddress()]
const asset = { chainId: 1, token: anAddress() } as const

/**
 * Creates a transaction with a random id that is included in block `number`. All of them end in the same second, so
 * only the block number and the creation time determine their order.
 */
const inBlock = (direction: "IN" | "OUT", number: bigint, createdSeconds = 0) =>
  aTransaction({
    projectId,
    createdAt: at(createdSeconds),
    executedAt: at(7_000),
    legs: [{ chainId: 1, hash: aHash(), block: { number, hash: aHash() }, state: "FINAL", stage: 0 }],
    movements: [aMovement({ account, asset, direction, leg: 0 })]
  })

const listTransactionIds = (transactions: ReadonlyArray<ReturnType<typeof inBlock>>) =>
  movementsOf(projectId, account).pipe(
    Effect.map((movements) => movements.map(({ transactionId }) => transactionId)),
    Effect.provide(
      Layer.mock(HistoryStore, {
        listMovements: ({ after }) =>
          Effect.sync(() =>
            after === null
              ? transactions
                  .flatMap(recordedMovementsOf)
                  .toSorted((a, b) => (a.transactionId < b.transactionId ? -1 : 1))
              : []
          )
      })
    )
  )

describe("Movements with the same second", () => {
  it.effect("are sorted by block, so that no sale precedes its purchase", () =>
    Effect.gen(function* () {
      const trades = Array.from({ length: 14 }, (_, i) => [
        inBlock("IN", BigInt(2 * i + 9)),
        inBlock("OUT", BigInt(2 * i + 10))
      ]).flat()
      assert.deepStrictEqual(
        yield* listTransactionIds(trades),
        trades.map(({ id }) => id)
      )
    })
  )

  it.effect("in one block are sorted by their creation", () =>
    Effect.gen(function* () {
      const trades = Array.from({ length: 14 }, (_, i) => inBlock(i % 2 === 0 ? "IN" : "OUT", 5n, i))
      assert.deepStrictEqual(
        yield* listTransactionIds(trades),
        trades.map(({ id }) => id)
      )
    })
  )
})
