/** A block with fewer on top of it may be replaced, however few confirmations the operator is content with. */
export const SETTLED_CONFIRMATIONS = 6

export const confirmationsAt = (block: { readonly height: number } | null, height: number): number =>
  block === null ? 0 : Math.max(0, height - block.height + 1)
