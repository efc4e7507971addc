import { Effect } from "effect"
import type { BlockRef, Leg, Transaction } from "../../../accounting/history/index.ts"
import { isEvmChainId } from "../../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../../foundation/errors/index.ts"
import { type BlockAt, ChainReader } from "../../user-operations/index.ts"
import type { Stage, Step } from "../Stage.ts"
import { Finality } from "./Finality.ts"

/** The last stage of executions with transactions on EVM chains. */
export const FINALITY = "finality"

/**
 * Number of blocks after which a missing block counts as removed by a reorg. A node may report a new head before it can
 * return the latest blocks.
 */
const LOST_BLOCKS = 10

/** The block of a leg, and its on-chain state. */
interface LegBlock {
  readonly leg: Leg
  readonly block: BlockRef
  /** REORGED: the chain has a different block or no block with this number. FINAL: enough blocks follow. */
  readonly status: "REORGED" | "UNCONFIRMED" | "FINAL"
  readonly pollEveryMs: number
}

/** Returns the transaction after a reorg that removed the legs of this stage and of later stages. */
export const reorgChange =
  (stage: number) =>
  (transaction: Transaction): Transaction => {
    const isReorged = (leg: Leg | undefined) => leg !== undefined && leg.stage >= stage
    return {
      ...transaction,
      substatus: "REORGED",
      legs: transaction.legs.map((leg) =>
        isReorged(leg) ? { ...leg, hash: null, block: null, state: "PENDING" } : leg
      ),
      movements: transaction.movements.filter(({ leg }) => leg === null || !isReorged(transaction.legs[leg])),
      executedAt: null,
      failure: null
    }
  }

const finalizeLegs = (transaction: Transaction): Transaction => ({
  ...transaction,
  legs: transaction.legs.map((leg) => (leg.state === "INCLUDED" ? { ...leg, state: "FINAL" } : leg))
})

/**
 * Returns the step that makes the execution return to the first stage whose block was removed by a reorg. Null if no
 * block is known to be removed.
 */
const returnStep = (blocks: ReadonlyArray<LegBlock>): Step | null => {
  const reorgedStages = blocks.filter(({ status }) => status === "REORGED").map(({ leg }) => leg.stage)
  if (reorgedStages.length === 0) return null
  const firstStage = Math.min(...reorgedStages)
  return { _tag: "Back", to: firstStage, change: reorgChange(firstStage) }
}

/** Returns the step that the state of the blocks requires. */
const finalityStep = (blocks: ReadonlyArray<LegBlock>): Step => {
  const reorgStep = returnStep(blocks)
  if (reorgStep !== null) return reorgStep
  const unconfirmedBlocks = blocks.filter(({ status }) => status === "UNCONFIRMED")
  if (unconfirmedBlocks.length > 0)
    return { _tag: "Wait", afterMs: Math.min(...unconfirmedBlocks.map(({ pollEveryMs }) => pollEveryMs)) }
  return { _tag: "Settle", change: finalizeLegs }
}

/** Reads the state of the blocks of a transaction's legs. */
const legBlocks = Effect.gen(function* () {
  const reader = yield* ChainReader
  const finalityOf = yield* Finality

  const legBlockOf = Effect.fnUntraced(function* (leg: Leg) {
    if (leg.block === null || leg.state !== "INCLUDED" || !isEvmChainId(leg.chainId)) return []
    const { blocks, pollEveryMs } = finalityOf(leg.chainId)
    const { block, chainId } = leg
    const statusIn = ({ hash, headNumber, isMissing = false }: BlockAt): LegBlock["status"] => {
      // Without a hash, the node is behind or the nodes disagree, so the state of the block is unknown.
      if (hash === null) return isMissing ? "REORGED" : "UNCONFIRMED"
      if (hash !== block.hash) return "REORGED"
      return headNumber - block.number < blocks ? "UNCONFIRMED" : "FINAL"
    }
    const currentBlock = yield* reader.blockAt(chainId, block.number)
    // The node should have the block but does not, so a reorg has removed it.
    const isLost = currentBlock.hash === null && currentBlock.headNumber - block.number >= Math.max(blocks, LOST_BLOCKS)
    const reportedStatus = statusIn({ ...currentBlock, isMissing: isLost })
    // A single node's report is not sufficient to end the tracking, or to revert a reported result.
    const status =
      reportedStatus === "UNCONFIRMED" ? reportedStatus : statusIn(yield* reader.agreedBlockAt(chainId, block.number))
    return [{ leg, block, status, pollEveryMs }]
  })

  return ({ legs }: Transaction): Effect.Effect<ReadonlyArray<LegBlock>, UpstreamUnavailable> =>
    Effect.map(Effect.forEach(legs, legBlockOf, { concurrency: "unbounded" }), (blocks) => blocks.flat())
})

/**
 * Returns the step that makes the execution return to the first stage whose block was removed by a reorg. Null if no
 * block is known to be removed. Used by stages during which a reorg of earlier blocks is possible.
 */
export const reorgFinder = Effect.map(
  legBlocks,
  (blocksOf) => (transaction: Transaction) => Effect.map(blocksOf(transaction), returnStep)
)

/** Tracks the EVM blocks of the legs until they are final. */
export const finalityStage = Effect.gen(function* () {
  const blocksOf = yield* legBlocks

  const stage: Stage = {
    name: FINALITY,
    waitsFor: "CHAIN",
    awaited: "more confirmations, after which a reorg is unlikely",
    normalMs: 7_200_000,
    patienceMs: null,
    step: Effect.fn("FinalityStage.step")(function* ({ transaction }) {
      return finalityStep(yield* blocksOf(yield* transaction))
    })
  }
  return stage
})
