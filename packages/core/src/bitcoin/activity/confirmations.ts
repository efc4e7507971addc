/**
 * Number of confirmations up to which transactions are tracked, even if fewer are required. A deeper reorg is unlikely.
 */
export const SETTLED_CONFIRMATIONS = 6

export const confirmationsAt = (block: { readonly height: number } | null, height: number): number =>
  block === null ? 0 : Math.max(0, height - block.height + 1)
