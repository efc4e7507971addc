import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import { DateTime } from "effect"

/** Formats numbers and times in findings. */

export { dollars, nativeTokensText } from "../output/amounts.ts"

export const nameOf = (chainId: EvmChainId): string => chainOf(chainId).name

export const secondsText = (milliseconds: number): string => `${Number((milliseconds / 1000).toFixed(1))} s`

export const countText = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? "" : "s"}`

export const isoText = (at: DateTime.Utc): string => DateTime.formatIso(at)
