import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { seedOf, shortOrLong } from "../../../core/test/support/longTests.ts"
import { checkBitcoin, checkWallet, unrecordedAmountsOf } from "./checkWallet.ts"
import { type Actor, Month, RefusedOperation } from "./Month.ts"
import { operations, payBitcoin, placeExpiringOrder, swapToOtherChain } from "./operations.ts"

/** Executes random operations of all types, and compares their records with the chains. */

const OPERATION_COUNT = shortOrLong(50, 3_000)
const BITCOIN_COUNT = shortOrLong(6, 200)
const EVENT_COUNT = shortOrLong(2, 30)
/** Every n-th event is a reorg; the others are restarts. */
const REORG_EVERY = shortOrLong(EVENT_COUNT + 1, 2)
/** Number of concurrent sequences of operations per actor. */
const ACTIVITIES = 2
const REORG_DEPTH = 3

const seed = seedOf("MONTH_SEED")
let month: Month

beforeAll(async () => {
  month = await Month.start(seed)
})
afterAll(() => month.stop())

const weightedOperations = operations.flatMap((operation) => Array.from({ length: operation[1] }, () => operation))

const nameUnlessRefused = async (name: string, operation: () => Promise<string>): Promise<string> => {
  try {
    return await operation()
  } catch (error) {
    if (error instanceof RefusedOperation) return `${name}, refused`
    throw error
  }
}

describe("a month of random operations", () => {
  it(
    "is in history, profit and tax exports as on chain",
    async () => {
      const { actors, payers } = month
      const counts = new Map<string, number>()
      const increment = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
      const unrecordedAmounts = await Promise.all(
        actors.map(({ wallet }) => unrecordedAmountsOf(month.service, wallet.address))
      )
      let startedCount = 0
      /** The n-th event occurs when this many operations have started, whatever the speed of the machine. */
      const milestones = Array.from({ length: EVENT_COUNT }, (_, i) => ({
        at: Math.floor((OPERATION_COUNT * (i + 1)) / (EVENT_COUNT + 1)),
        ...Promise.withResolvers<void>()
      }))

      const statefulNames = new Set(["loan at Aave", "loan at Morpho", "position", "filled order", "cancelled order"])
      const operate = async (actor: Actor, isFirst: boolean) => {
        while (startedCount < OPERATION_COUNT) {
          const [name, , operation] = weightedOperations[month.random.below(weightedOperations.length)]!
          if (statefulNames.has(name) && !isFirst) continue
          startedCount += 1
          for (const { at, resolve } of milestones) if (startedCount >= at) resolve()
          increment(await nameUnlessRefused(name, () => operation(month, actor).then(() => name)))
        }
      }
      const runEvents = async () => {
        for (let i = 1; i <= EVENT_COUNT; i++) {
          await milestones[i - 1]!.promise
          await month.control("solver", { isSolving: true, largestPercent: i % 2 === 0 ? 100 : 40 })
          await (i % REORG_EVERY === 0 ? month.reorg(REORG_DEPTH) : month.restart())
          increment(i % REORG_EVERY === 0 ? "reorg" : "restart")
        }
      }
      const watchRepeatedly = async () => {
        while (startedCount < OPERATION_COUNT) await month.undisturbed(() => month.lookAtChains())
      }
      const runPayments = async () => {
        for (let i = 0; i < BITCOIN_COUNT; i++) {
          increment(await nameUnlessRefused("bitcoin payment", () => payBitcoin(month, payers[i % payers.length]!)))
        }
      }
      await month.control("relayer", { mode: "FILL", delaySeconds: 0 })
      await Promise.all([
        ...actors.flatMap((actor) => Array.from({ length: ACTIVITIES }, (_, i) => operate(actor, i === 0))),
        runEvents(),
        watchRepeatedly(),
        runPayments()
      ])
      for (const id of month.later.splice(0)) {
        const { type } = await month.transaction(id)
        if (type === "CROSS_SWAP") increment(`${type} ${(await month.ended(id)).status}`)
        else month.later.push(id)
      }

      // From now on no solver or relayer fills operations, so they expire or are refunded.
      await month.control("relayer", { mode: "OFF" })
      for (const actor of actors) await swapToOtherChain(month, actor)
      for (const actor of actors) await placeExpiringOrder(month, actor)
      for (const id of month.later) {
        await month.once(id, ({ status, substatus }) => status !== "PROCESSING" || substatus === "OPEN")
      }
      await month.bitcoin.control({ mine: 8 })
      await month.service.advanceClock(8 * 3_600)
      await month.control("relayer", { mode: "FILL", delaySeconds: 0 })
      for (const id of month.later.splice(0)) {
        const { status, type } = await month.ended(id)
        increment(`${type} ${status}`)
      }
      await month.readChains()

      let movementCount = 0
      for (const [i, { wallet }] of actors.entries()) {
        movementCount += await checkWallet(month.service, wallet.address, unrecordedAmounts[i]!)
      }
      for (const { address } of payers) await checkBitcoin(month, address)
      console.info(`seed ${seed}: ${movementCount} movements`, Object.fromEntries([...counts].sort()))
      assert.isAtLeast(movementCount, OPERATION_COUNT)
    },
    shortOrLong(1_800_000, 7_200_000)
  )
})
