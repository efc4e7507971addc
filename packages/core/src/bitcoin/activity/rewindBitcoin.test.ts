import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { aHash, at } from "../../foundation/primitives/ids.fixture.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { ActivityStore } from "../../wallets/chain-activity/index.ts"
import { BitcoinChain } from "../chain/index.ts"
import { BitcoinActivityRecords } from "./BitcoinActivityRecords.ts"
import { BitcoinActivityStore } from "./BitcoinActivityStore.ts"
import type { StoredBitcoinTransfer } from "./DetectedBitcoinTransfer.ts"
import { type ClaimedBitcoin, rewindBitcoin } from "./rewindBitcoin.ts"

const storedAt = (height: number) => ({ detectedTransfer: { block: { height } } }) as unknown as StoredBitcoinTransfer

const heightOf = ({ detectedTransfer }: StoredBitcoinTransfer) => detectedTransfer.block?.height

describe("the Bitcoin watcher after a pause", () => {
  it.effect("checks transfers above the last block again, and keeps the others", () => {
    const transfers = [storedAt(98), storedAt(100), storedAt(101)]
    const [postponedHeights, revertedHeights]: [Array<unknown>, Array<unknown>] = [[], []]
    const ports = Layer.mergeAll(
      Layer.mock(BitcoinChain, {}),
      Layer.mock(ActivityStore, { storeProgress: () => Effect.succeed(true) }),
      Layer.mock(BitcoinActivityStore, {
        listAbove: (height) => Effect.succeed(transfers.filter((one) => heightOf(one)! > height)),
        postpone: (one) => Effect.sync(() => void postponedHeights.push(heightOf(one))),
        scheduleRecheck: () => Effect.void
      }),
      Layer.mock(BitcoinActivityRecords, {
        revert: (one) => Effect.sync(() => void revertedHeights.push(heightOf(one)))
      }),
      Layer.succeed(UnitOfWork, { run: (work) => work })
    )
    return Effect.gen(function* () {
      const { beginAt, jump } = yield* rewindBitcoin
      const before = yield* beginAt({ hash: aHash(), height: 100 })
      const claimedChain = { chainId: 0, progress: before, version: 1, leasedUntil: at(0) } as unknown as ClaimedBitcoin
      const progress = yield* jump(claimedChain, before, { hash: aHash(), height: 110 })
      assert.strictEqual(progress.last.number, 110)
      assert.deepStrictEqual([postponedHeights, revertedHeights], [[101], []])
    }).pipe(Effect.provide(ports))
  })
})
