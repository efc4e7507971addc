import { DateTime, Effect } from "effect"
import type { Loss } from "./Loss.ts"
import type { LossStore, LossSubject, LossSum } from "./LossStore.ts"
import { usdE6Of } from "./lossAccounts.ts"

interface Entry {
  loss: Loss
  forgivenAt: DateTime.Utc | null
  turn: { readonly at: DateTime.Utc; readonly hash: string } | null
}

/** Unpaid gas in memory, which tests can read. */
export type LossMemory = Array<Entry>

const HOUR_MS = 3_600_000

const keyOf = ({ at, cause, projectId, userOperationHash, walletAddress }: Loss): string =>
  [projectId, cause, userOperationHash ?? `${walletAddress} ${DateTime.toEpochMillis(at)}`].join(" ")

const sumOf = ({ at, cause, usd }: Loss): LossSum => ({
  cause,
  at,
  count: 1,
  usdE6: usdE6Of({ usd }),
  unpriced: usd === null ? 1 : 0
})

const add = (one: LossSum, other: LossSum): LossSum => ({
  cause: one.cause,
  at: DateTime.max(one.at, other.at),
  count: one.count + other.count,
  usdE6: one.usdE6 + other.usdE6,
  unpriced: one.unpriced + other.unpriced
})

const isOf = (subject: LossSubject, loss: Loss): boolean => {
  switch (subject._tag) {
    case "Wallet":
      return loss.walletAddress === subject.address
    case "Owner":
      return loss.owner === subject.address
    case "Project":
      return loss.projectId === subject.id
  }
}

export const memoryLossStore = (memory: LossMemory): LossStore["Service"] => {
  const lossesSince = (time: DateTime.Utc) =>
    memory.filter(({ forgivenAt, loss }) => forgivenAt === null && DateTime.isGreaterThan(loss.at, time))
  const newestFirst = (entries: ReadonlyArray<Entry>) =>
    entries.toSorted((a, b) => DateTime.toEpochMillis(b.loss.at) - DateTime.toEpochMillis(a.loss.at))
  return {
    append: (loss) =>
      Effect.sync(() => {
        const existingEntry = memory.find((entry) => keyOf(entry.loss) === keyOf(loss))
        if (existingEntry === undefined) memory.push({ loss, forgivenAt: null, turn: null })
        else existingEntry.loss = { ...existingEntry.loss, wei: loss.wei, usd: loss.usd }
      }),
    withdraw: (projectId, hash, cause) =>
      Effect.sync(() => {
        const index = memory.findIndex(
          ({ loss }) => loss.projectId === projectId && loss.userOperationHash === hash && loss.cause === cause
        )
        if (index >= 0) memory.splice(index, 1)
      }),
    ofOwner: (projectId, owner, from) =>
      Effect.sync(() =>
        newestFirst(lossesSince(from))
          .filter(({ loss }) => loss.projectId === projectId && loss.owner === owner)
          .slice(0, 100)
          .map(({ loss }) => ({ ...sumOf(loss), walletAddress: loss.walletAddress, chainId: loss.chainId }))
      ),
    sums: (projectId, from) =>
      Effect.sync(() => {
        const projectLosses = lossesSince(from).filter(({ loss }) => projectId === null || loss.projectId === projectId)
        const groups = Map.groupBy(projectLosses, ({ loss }) =>
          [loss.cause, Math.floor(DateTime.toEpochMillis(loss.at) / HOUR_MS)].join(" ")
        )
        return [...groups.values()].map((entries) => entries.map(({ loss }) => sumOf(loss)).reduce(add))
      }),
    takeTurn: ({ address, hash, lastBefore, now, projectId, scope }) =>
      Effect.sync(() => {
        const entries = memory.filter(
          ({ forgivenAt, loss, turn }) =>
            forgivenAt === null &&
            loss.projectId === projectId &&
            (scope === "wallet" ? loss.walletAddress : loss.owner) === address &&
            (turn === null || turn.hash === hash || DateTime.isLessThanOrEqualTo(turn.at, lastBefore))
        )
        for (const entry of entries) entry.turn = { at: now, hash }
        return entries.length > 0
      }),
    listLatest: (projectId, limit) =>
      Effect.sync(() =>
        newestFirst(memory)
          .filter(({ loss }) => projectId === null || loss.projectId === projectId)
          .slice(0, limit)
          .map(({ forgivenAt, loss }) => ({ loss, forgivenAt }))
      ),
    recordCost: () => Effect.void,
    costs: () => Effect.die("No test of the memory store reads costs."),
    totals: (from, cause) =>
      Effect.sync(() =>
        [
          ...Map.groupBy(
            lossesSince(from).filter(({ loss }) => cause === undefined || loss.cause === cause),
            ({ loss }) => loss.chainId
          )
        ].map(([chainId, entries]) => ({
          chainId,
          count: entries.length,
          wei: entries.reduce((sum, { loss }) => sum + loss.wei, 0n),
          usdE6: entries.reduce((sum, { loss }) => sum + usdE6Of(loss), 0n)
        }))
      ),
    forgive: (subject, time) =>
      Effect.sync(() => {
        const entries = memory.filter(({ forgivenAt, loss }) => forgivenAt === null && isOf(subject, loss))
        for (const entry of entries) entry.forgivenAt = time
        return entries.length
      })
  }
}
