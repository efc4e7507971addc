import { DateTime, Effect } from "effect"
import type { UnpaidGasEntry } from "./UnpaidGasEntry.ts"
import type { UnpaidGasStore, UnpaidGasSubject, UnpaidGasSum } from "./UnpaidGasStore.ts"
import { usdE6Of } from "./unpaidGasAccounts.ts"

interface Entry {
  gasEntry: UnpaidGasEntry
  forgivenAt: DateTime.Utc | null
  turn: { readonly at: DateTime.Utc; readonly hash: string } | null
}

/** Unpaid gas in memory, which tests can read. */
export type UnpaidGasMemory = Array<Entry>

const HOUR_MS = 3_600_000

const keyOf = ({ at, cause, projectId, userOperationHash, walletAddress }: UnpaidGasEntry): string =>
  [projectId, cause, userOperationHash ?? `${walletAddress} ${DateTime.toEpochMillis(at)}`].join(" ")

const sumOf = ({ at, cause, usd }: UnpaidGasEntry): UnpaidGasSum => ({
  cause,
  at,
  count: 1,
  usdE6: usdE6Of({ usd }),
  unpriced: usd === null ? 1 : 0
})

const add = (one: UnpaidGasSum, other: UnpaidGasSum): UnpaidGasSum => ({
  cause: one.cause,
  at: DateTime.max(one.at, other.at),
  count: one.count + other.count,
  usdE6: one.usdE6 + other.usdE6,
  unpriced: one.unpriced + other.unpriced
})

const belongsTo = (subject: UnpaidGasSubject, gasEntry: UnpaidGasEntry): boolean => {
  switch (subject._tag) {
    case "Wallet":
      return gasEntry.walletAddress === subject.address
    case "Owner":
      return gasEntry.owner === subject.address
    case "Project":
      return gasEntry.projectId === subject.id
  }
}

export const memoryUnpaidGasStore = (memory: UnpaidGasMemory): UnpaidGasStore["Service"] => {
  const gasEntriesSince = (time: DateTime.Utc) =>
    memory.filter(({ forgivenAt, gasEntry }) => forgivenAt === null && DateTime.isGreaterThan(gasEntry.at, time))
  const newestFirst = (entries: ReadonlyArray<Entry>) =>
    entries.toSorted((a, b) => DateTime.toEpochMillis(b.gasEntry.at) - DateTime.toEpochMillis(a.gasEntry.at))
  return {
    record: (gasEntry) =>
      Effect.sync(() => {
        const existingEntry = memory.find((entry) => keyOf(entry.gasEntry) === keyOf(gasEntry))
        if (existingEntry === undefined) memory.push({ gasEntry, forgivenAt: null, turn: null })
        else existingEntry.gasEntry = { ...existingEntry.gasEntry, wei: gasEntry.wei, usd: gasEntry.usd }
      }),
    remove: (projectId, hash, cause) =>
      Effect.sync(() => {
        const index = memory.findIndex(
          ({ gasEntry }) =>
            gasEntry.projectId === projectId && gasEntry.userOperationHash === hash && gasEntry.cause === cause
        )
        if (index >= 0) memory.splice(index, 1)
      }),
    listByOwner: (projectId, owner, from) =>
      Effect.sync(() =>
        newestFirst(gasEntriesSince(from))
          .filter(({ gasEntry }) => gasEntry.projectId === projectId && gasEntry.owner === owner)
          .slice(0, 100)
          .map(({ gasEntry }) => ({
            ...sumOf(gasEntry),
            walletAddress: gasEntry.walletAddress,
            chainId: gasEntry.chainId
          }))
      ),
    readSums: (projectId, from) =>
      Effect.sync(() => {
        const projectGasEntries = gasEntriesSince(from).filter(
          ({ gasEntry }) => projectId === null || gasEntry.projectId === projectId
        )
        const groups = Map.groupBy(projectGasEntries, ({ gasEntry }) =>
          [gasEntry.cause, Math.floor(DateTime.toEpochMillis(gasEntry.at) / HOUR_MS)].join(" ")
        )
        return [...groups.values()].map((entries) => entries.map(({ gasEntry }) => sumOf(gasEntry)).reduce(add))
      }),
    claimThrottleSlot: ({ address, hash, lastBefore, now, projectId, scope }) =>
      Effect.sync(() => {
        const entries = memory.filter(
          ({ forgivenAt, gasEntry, turn }) =>
            forgivenAt === null &&
            gasEntry.projectId === projectId &&
            (scope === "wallet" ? gasEntry.walletAddress : gasEntry.owner) === address &&
            (turn === null || turn.hash === hash || DateTime.isLessThanOrEqualTo(turn.at, lastBefore))
        )
        for (const entry of entries) entry.turn = { at: now, hash }
        return entries.length > 0
      }),
    listLatest: (projectId, limit) =>
      Effect.sync(() =>
        newestFirst(memory)
          .filter(({ gasEntry }) => projectId === null || gasEntry.projectId === projectId)
          .slice(0, limit)
          .map(({ forgivenAt, gasEntry }) => ({ gasEntry, forgivenAt }))
      ),
    recordCost: () => Effect.void,
    readCosts: () => Effect.die("No test of the memory store reads costs."),
    readTotals: (from, cause) =>
      Effect.sync(() =>
        [
          ...Map.groupBy(
            gasEntriesSince(from).filter(({ gasEntry }) => cause === undefined || gasEntry.cause === cause),
            ({ gasEntry }) => gasEntry.chainId
          )
        ].map(([chainId, entries]) => ({
          chainId,
          count: entries.length,
          wei: entries.reduce((sum, { gasEntry }) => sum + gasEntry.wei, 0n),
          usdE6: entries.reduce((sum, { gasEntry }) => sum + usdE6Of(gasEntry), 0n)
        }))
      ),
    forgive: (subject, time) =>
      Effect.sync(() => {
        const entries = memory.filter(({ forgivenAt, gasEntry }) => forgivenAt === null && belongsTo(subject, gasEntry))
        for (const entry of entries) entry.forgivenAt = time
        return entries.length
      })
  }
}
