/** Confirmations after which a reorg is unlikely. The service tracks a transaction up to this number, even if the operator requires fewer. */
export const SETTLED_CONFIRMATIONS = 6

export const confirmationsAt = (block: { readonly height: number } | null, height: number): number =>
  block === null ? 0 : Math.max(0, height - block.height + 1)
