import type { Transaction } from "../../../accounting/history/index.ts"
import type { Execution } from "../Execution.ts"
import { INCLUSION } from "../inclusion/InclusionStage.ts"

/** Returns the last block on a chain that includes a transaction of the execution. Null if there is none. */
const lastBlock = ({ legs }: Transaction, chain: Transaction["chainIdIn"]): bigint | null =>
  legs.reduce<bigint | null>(
    (last, { block, chainId }) =>
      block === null || chainId !== chain || (last !== null && last > block.number) ? last : block.number,
    null
  )

/**
 * Returns an execution after a move, with its updated reservation. Before inclusion, the reservation covers everything
 * that the operations may spend. After inclusion, it records the block in which they spent it. Uses that last until a
 * later stage stay reserved until then. If the execution returns to the inclusion stage after a reorg, the reservation
 * again covers everything. An execution that ends without an included operation reserves nothing.
 */
export const withMovedReservation = (execution: Execution, transaction: Transaction, hasEnded: boolean): Execution => {
  const { at, reservation, stages } = execution
  if (reservation == null) return execution
  const isAhead = (stage: string) => !hasEnded && stages.some(({ name }, index) => index >= at && name === stage)
  if (isAhead(INCLUSION)) return { ...execution, reservation: { ...reservation, block: null, isHeld: false } }
  if (reservation.uses.some(({ until }) => until !== undefined && isAhead(until)))
    return { ...execution, reservation: { ...reservation, block: null, isHeld: true } }
  const block = lastBlock(transaction, reservation.chainId)
  return { ...execution, reservation: block === null ? null : { ...reservation, block, isHeld: false } }
}
