import { Context, type DateTime, Effect, Layer } from "effect"
import type { EvmChainId } from "../../../foundation/chains/index.ts"

/** The duration of a cross-chain transfer, from its deposit to its fill. */
export interface BridgeFill {
  readonly from: EvmChainId
  readonly to: EvmChainId
  /** The id of the transfer, which is unique for its pair of chains. */
  readonly transferId: string
  /** Seconds between the block of the deposit and the arrival. */
  readonly seconds: number
  /** The provider's estimate of the duration, in seconds. */
  readonly saidSeconds: number
  readonly filledAt: DateTime.Utc
}

/** Maximum number of stored transfers per pair of chains. */
export const MAX_FILLS = 20

/** Stores the durations of cross-chain transfers. All processes share it. */
export class BridgeFillStore extends Context.Service<
  BridgeFillStore,
  {
    /**
     * Stores or replaces a transfer's duration. Deletes all but the latest `MAX_FILLS` transfers of its pair of
     * chains.
     */
    readonly record: (fill: BridgeFill) => Effect.Effect<void>
    /** Returns the stored durations of a pair of chains, latest first. */
    readonly listLatest: (from: EvmChainId, to: EvmChainId) => Effect.Effect<ReadonlyArray<BridgeFill>>
  }
>()("@countersign/core/swap/BridgeFillStore") {
  static readonly layerMemory = Layer.sync(BridgeFillStore, () => {
    let fills: ReadonlyArray<BridgeFill> = []
    const latestFills = (from: EvmChainId, to: EvmChainId) =>
      fills
        .filter((fill) => fill.from === from && fill.to === to)
        .toSorted((a, b) => b.filledAt.epochMilliseconds - a.filledAt.epochMilliseconds)
        .slice(0, MAX_FILLS)
    return BridgeFillStore.of({
      record: (fill) =>
        Effect.sync(() => {
          const { from, to, transferId } = fill
          const otherFills = fills.filter(
            (each) => each.from !== from || each.to !== to || each.transferId !== transferId
          )
          fills = [...otherFills, fill]
        }),
      listLatest: (from, to) => Effect.sync(() => latestFills(from, to))
    })
  })
}
