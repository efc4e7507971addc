import { Effect } from "effect"
import { isEvmChainId } from "../../chains/index.ts"
import type { UpstreamUnavailable } from "../../errors/index.ts"
import type { BlockRef, Leg, Transaction } from "../../history/index.ts"
import { type BlockAt, ChainReader } from "../../user-operations/index.ts"
import type { Stage, Step } from "../Stage.ts"
import { Finality } from "./Finality.ts"

/** The last stage of every execution with a transaction on an EVM chain. */
export const FINALITY = "finality"

/** The state of a leg's block on the chain. */
interface Sight {
  readonly leg: Leg
  readonly block: BlockRef
  /** GONE: another block is in its place. DEEP: the chain has enough blocks on top of it. */
  readonly outlook: "GONE" | "YOUNG" | "DEEP"
  readonly lookEveryMs: number
}

/** The transaction after its blocks are gone, from the leg of this stage on. */
export const reorgChange =
  (stage: number) =>
  (transaction: Transaction): Transaction => {
    const isGone = (leg: Leg | undefined) => leg !== undefined && leg.stage >= stage
    return {
      ...transaction,
      substatus: "REORGED",
      legs: transaction.legs.map((leg) => (isGone(leg) ? { ...leg, hash: null, block: null, state: "PENDING" } : leg)),
      movements: transaction.movements.filter(({ leg }) => leg === null || !isGone(transaction.legs[leg])),
      executedAt: null,
      failure: null
    }
  }

const final = (transaction: Transaction): Transaction => ({
  ...transaction,
  legs: transaction.legs.map((leg) => (leg.state === "INCLUDED" ? { ...leg, state: "FINAL" } : leg))
})

/** The step back to the stage that created the leg whose block is gone; null where all blocks are there. */
const backStep = (sights: ReadonlyArray<Sight>): Step | null => {
  const goneStages = sights.filter(({ outlook }) => outlook === "GONE").map(({ leg }) => leg.stage)
  if (goneStages.length === 0) return null
  const firstStage = Math.min(...goneStages)
  return { _tag: "Back", to: firstStage, change: reorgChange(firstStage) }
}

/** The step that follows from the state of the blocks. */
const finalityStep = (sights: ReadonlyArray<Sight>): Step => {
  const back = backStep(sights)
  if (back !== null) return back
  const youngSights = sights.filter(({ outlook }) => outlook === "YOUNG")
  if (youngSights.length > 0)
    return { _tag: "Wait", afterMs: Math.min(...youngSights.map(({ lookEveryMs }) => lookEveryMs)) }
  return { _tag: "Settle", change: final }
}

/** Reads the blocks of a transaction's legs. */
const legSights = Effect.gen(function* () {
  const reader = yield* ChainReader
  const finalityOf = yield* Finality

  const sightOf = Effect.fnUntraced(function* (leg: Leg) {
    if (leg.block === null || leg.state !== "INCLUDED" || !isEvmChainId(leg.chainId)) return []
    const { blocks, lookEveryMs } = finalityOf(leg.chainId)
    const { block, chainId } = leg
    const outlookIn = ({ hash, headNumber }: BlockAt): Sight["outlook"] => {
      // Without a hash the node is behind, or nodes do not agree: the state of the block is unknown.
      if (hash === null) return "YOUNG"
      if (hash !== block.hash) return "GONE"
      return headNumber - block.number < blocks ? "YOUNG" : "DEEP"
    }
    const seen = outlookIn(yield* reader.blockAt(chainId, block.number))
    // What ends the watch, and what takes back what was told, is not believed of one node alone.
    const outlook = seen === "YOUNG" ? seen : outlookIn(yield* reader.agreedBlockAt(chainId, block.number))
    return [{ leg, block, outlook, lookEveryMs }]
  })

  return ({ legs }: Transaction): Effect.Effect<ReadonlyArray<Sight>, UpstreamUnavailable> =>
    Effect.map(Effect.forEach(legs, sightOf, { concurrency: "unbounded" }), (sights) => sights.flat())
})

/**
 * For stages that wait longer than a block may stay: the step back to the stage that created a leg whose block is gone;
 * null where all blocks are there.
 */
export const reorganisations = Effect.map(
  legSights,
  (look) => (transaction: Transaction) => Effect.map(look(transaction), backStep)
)

/** Watches each leg in its block until no reorganisation can reach the block. */
export const finalityStage = Effect.gen(function* () {
  const look = yield* legSights

  const stage: Stage = {
    name: FINALITY,
    patienceMs: null,
    step: Effect.fn("FinalityStage.step")(function* ({ transaction }) {
      return finalityStep(yield* look(yield* transaction))
    })
  }
  return stage
})
