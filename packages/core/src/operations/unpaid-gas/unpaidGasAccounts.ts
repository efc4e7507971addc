import { DateTime, Option } from "effect"
import { baseUnitsOrNone } from "../../foundation/primitives/index.ts"
import { DECAY_MS, levelOf } from "./decay.ts"
import type { UnpaidGasEntry } from "./UnpaidGasEntry.ts"
import type { StoredGasEntry } from "./UnpaidGasStore.ts"

/** The unpaid gas of one wallet on one chain. */
export interface UnpaidGasAccount extends Pick<UnpaidGasEntry, "projectId" | "walletAddress" | "owner" | "chainId"> {
  readonly count: number
  readonly wei: bigint
  /** Millionths of a US dollar. Excludes entries with an unknown price. */
  readonly usdE6: bigint
  /** The part of `usdE6` that still counts: without forgiven entries, and reduced with the age of the entries. */
  readonly currentUsdE6: bigint
  readonly lastAt: DateTime.Utc
}

/** Returns millionths of a US dollar. Zero if the price is unknown. */
export const usdE6Of = ({ usd }: Pick<UnpaidGasEntry, "usd">): bigint =>
  usd === null ? 0n : Option.getOrElse(baseUnitsOrNone(usd, 6), () => 0n)

const currentUsdE6 = (gasEntries: ReadonlyArray<StoredGasEntry>, nowMs: number): bigint =>
  levelOf(
    gasEntries.flatMap(({ forgivenAt, gasEntry }) =>
      forgivenAt === null ? [{ atMs: DateTime.toEpochMillis(gasEntry.at), weight: usdE6Of(gasEntry) }] : []
    ),
    nowMs
  ) / BigInt(DECAY_MS)

/** Returns the unpaid gas by project, wallet and chain, in the order of the first entry. */
export const unpaidGasAccounts = (
  gasEntries: ReadonlyArray<StoredGasEntry>,
  nowMs: number
): ReadonlyArray<UnpaidGasAccount> => {
  const groups = Map.groupBy(gasEntries, ({ gasEntry: { chainId, projectId, walletAddress } }) =>
    [projectId, walletAddress, chainId].join(" ")
  )
  return [...groups.values()].map((group) => {
    const { chainId, owner, projectId, walletAddress } = group[0]!.gasEntry
    return {
      projectId,
      walletAddress,
      owner,
      chainId,
      count: group.length,
      wei: group.reduce((sum, { gasEntry }) => sum + gasEntry.wei, 0n),
      usdE6: group.reduce((sum, { gasEntry }) => sum + usdE6Of(gasEntry), 0n),
      currentUsdE6: currentUsdE6(group, nowMs),
      lastAt: DateTime.makeUnsafe(Math.max(...group.map(({ gasEntry }) => DateTime.toEpochMillis(gasEntry.at))))
    }
  })
}
