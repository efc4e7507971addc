import { DateTime, Option } from "effect"
import { baseUnitsOrNone } from "../../foundation/primitives/index.ts"
import { DECAY_MS, levelOf } from "./decay.ts"
import type { Loss } from "./Loss.ts"
import type { StoredLoss } from "./LossStore.ts"

/** The unpaid gas of one wallet on one chain. */
export interface LossAccount extends Pick<Loss, "projectId" | "walletAddress" | "owner" | "chainId"> {
  readonly count: number
  readonly wei: bigint
  /** Millionths of a US dollar. Excludes entries with an unknown price. */
  readonly usdE6: bigint
  /** The amount that still counts: without forgiven entries, and reduced with the age of the entries. */
  readonly currentUsdE6: bigint
  readonly lastAt: DateTime.Utc
}

/** Returns millionths of a US dollar. Zero if the price is unknown. */
export const usdE6Of = ({ usd }: Pick<Loss, "usd">): bigint =>
  usd === null ? 0n : Option.getOrElse(baseUnitsOrNone(usd, 6), () => 0n)

const currentUsdE6 = (losses: ReadonlyArray<StoredLoss>, nowMs: number): bigint =>
  levelOf(
    losses.flatMap(({ forgivenAt, loss }) =>
      forgivenAt === null ? [{ atMs: DateTime.toEpochMillis(loss.at), weight: usdE6Of(loss) }] : []
    ),
    nowMs
  ) / BigInt(DECAY_MS)

/** Returns the unpaid gas by project, wallet and chain, in the order of the first entry. */
export const lossAccounts = (losses: ReadonlyArray<StoredLoss>, nowMs: number): ReadonlyArray<LossAccount> => {
  const groups = Map.groupBy(losses, ({ loss: { chainId, projectId, walletAddress } }) =>
    [projectId, walletAddress, chainId].join(" ")
  )
  return [...groups.values()].map((group) => {
    const { chainId, owner, projectId, walletAddress } = group[0]!.loss
    return {
      projectId,
      walletAddress,
      owner,
      chainId,
      count: group.length,
      wei: group.reduce((sum, { loss }) => sum + loss.wei, 0n),
      usdE6: group.reduce((sum, { loss }) => sum + usdE6Of(loss), 0n),
      currentUsdE6: currentUsdE6(group, nowMs),
      lastAt: DateTime.makeUnsafe(Math.max(...group.map(({ loss }) => DateTime.toEpochMillis(loss.at))))
    }
  })
}
