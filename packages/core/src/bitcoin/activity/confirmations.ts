/** A reorg of more blocks is unlikely. Transactions are tracked up to this number, even if fewer are required. */
export const SETTLED_CONFIRMATIONS = 6

export const confirmationsAt = (block: { readonly height: number } | null, height: number): number =>
  block === null ? 0 : Math.max(0, height - block.height + 1)
