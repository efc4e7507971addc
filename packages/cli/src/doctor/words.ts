import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import { DateTime } from "effect"

/** Formats numbers and times in findings. */

export { dollars, nativeTokensText } from "../output/amounts.ts"

export const nameOf = (chainId: EvmChainId): string => chainOf(chainId).name

export const seconds = (milliseconds: number): string => `${Number((milliseconds / 1000).toFixed(1))} s`

export const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? "" : "s"}`

export const iso = (at: DateTime.Utc): string => DateTime.formatIso(at)
