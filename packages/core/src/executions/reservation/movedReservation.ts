import type { Transaction } from "../../history/index.ts"
import type { Execution } from "../Execution.ts"
import { INCLUSION } from "../inclusion/InclusionStage.ts"

/** The last of the blocks that have its transactions on a chain; null where none has. */
const lastBlock = ({ legs }: Transaction, chain: Transaction["chainIdIn"]): bigint | null =>
  legs.reduce<bigint | null>(
    (last, { block, chainId }) =>
      block === null || chainId !== chain || (last !== null && last > block.number) ? last : block.number,
    null
  )

/**
 * An execution after a move, with its reservation: for all that its operations may still take, or for what they took in
 * which block. A step back to inclusion renews it. Nothing is reserved once it ends without a block.
 */
export const withMovedReservation = (execution: Execution, transaction: Transaction, hasEnded: boolean): Execution => {
  const { at, reservation, stages } = execution
  if (reservation == null) return execution
  const isWaiting = !hasEnded && stages.some(({ name }, place) => place >= at && name === INCLUSION)
  const block = isWaiting ? null : lastBlock(transaction, reservation.chainId)
  return { ...execution, reservation: isWaiting || block !== null ? { ...reservation, block } : null }
}
