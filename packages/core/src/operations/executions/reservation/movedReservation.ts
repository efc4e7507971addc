import type { Transaction } from "../../../accounting/history/index.ts"
import type { Execution } from "../Execution.ts"
import { INCLUSION } from "../inclusion/InclusionStage.ts"

/** The last block of its transactions on a chain; null if there is none. */
const lastBlock = ({ legs }: Transaction, chain: Transaction["chainIdIn"]): bigint | null =>
  legs.reduce<bigint | null>(
    (last, { block, chainId }) =>
      block === null || chainId !== chain || (last !== null && last > block.number) ? last : block.number,
    null
  )

/**
 * An execution after a move, with its reservation: for everything that its operations may still spend, or for what they
 * spent in which block. Uses that last until a later stage keep it until then. A step back to inclusion renews it.
 * Nothing is reserved once it ends without a block.
 */
export const withMovedReservation = (execution: Execution, transaction: Transaction, hasEnded: boolean): Execution => {
  const { at, reservation, stages } = execution
  if (reservation == null) return execution
  const isAhead = (stage: string) => !hasEnded && stages.some(({ name }, place) => place >= at && name === stage)
  if (isAhead(INCLUSION)) return { ...execution, reservation: { ...reservation, block: null, isHeld: false } }
  if (reservation.uses.some(({ until }) => until !== undefined && isAhead(until)))
    return { ...execution, reservation: { ...reservation, block: null, isHeld: true } }
  const block = lastBlock(transaction, reservation.chainId)
  return { ...execution, reservation: block === null ? null : { ...reservation, block, isHeld: false } }
}
