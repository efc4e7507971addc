import { Context, type DateTime, Effect, Layer } from "effect"
import type { EvmChainId } from "../../../foundation/chains/index.ts"

/** How long a transfer to another chain took. */
export interface BridgeFill {
  readonly from: EvmChainId
  readonly to: EvmChainId
  /** What names the transfer among those between the two chains. */
  readonly transferId: string
  /** From its block until what was to arrive arrived. */
  readonly seconds: number
  /** What the provider had said. */
  readonly saidSeconds: number
  readonly filledAt: DateTime.Utc
}

/** More than these of a pair of chains are not kept. */
export const FILLS_KEPT = 20

/** How long transfers to other chains took, for all processes together. */
export class BridgeFillStore extends Context.Service<
  BridgeFillStore,
  {
    /** Keeps a transfer's time, the last one where it is told again, and forgets all but the latest of its pair of chains. */
    readonly record: (fill: BridgeFill) => Effect.Effect<void>
    /** Those that are kept of a pair, the latest first. */
    readonly latest: (from: EvmChainId, to: EvmChainId) => Effect.Effect<ReadonlyArray<BridgeFill>>
  }
>()("@countersign/core/swap/BridgeFillStore") {
  static readonly layerMemory = Layer.sync(BridgeFillStore, () => {
    let fills: ReadonlyArray<BridgeFill> = []
    const latest = (from: EvmChainId, to: EvmChainId) =>
      fills
        .filter((fill) => fill.from === from && fill.to === to)
        .toSorted((a, b) => b.filledAt.epochMilliseconds - a.filledAt.epochMilliseconds)
        .slice(0, FILLS_KEPT)
    return BridgeFillStore.of({
      record: (fill) =>
        Effect.sync(() => {
          const { from, to, transferId } = fill
          const others = fills.filter((each) => each.from !== from || each.to !== to || each.transferId !== transferId)
          fills = [...others, fill]
        }),
      latest: (from, to) => Effect.sync(() => latest(from, to))
    })
  })
}
