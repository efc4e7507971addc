import { sumOrNull } from "../portfolio/index.ts"
import { lesser, mulDivRoundingDown, type Ratio, shareRoundingDown } from "../primitives/index.ts"
import type { TaxKind } from "../tax-treatment/index.ts"

/** A change of what an account holds of one asset, with its value in one currency; null where that is not known. */
export interface LotChange {
  readonly direction: "IN" | "OUT"
  readonly kind: TaxKind
  readonly asset: string
  /** Base units, above zero. */
  readonly amount: bigint
  /** Millionths of the currency. */
  readonly valueE6: bigint | null
  readonly atMs: number
  /** The loan or position that it changes; null for none. */
  readonly holding: string | null
  /** The other account of a transfer between own wallets, and a key that its two sides share; else null. */
  readonly transfer: { readonly counterparty: string; readonly key: string } | null
}

/** Changes that belong together. */
export interface LotEntry {
  readonly changes: ReadonlyArray<LotChange>
  /** The share of a position's cost that comes back with its tokens; null where they are what a deposit left over. */
  readonly withdrawnShare: Ratio | null
}

/** What is left of something that came in, and what that cost. */
export interface Lot {
  readonly units: bigint
  readonly costE6: bigint | null
  readonly atMs: number
  /** The loan that it was borrowed in; absent for none. */
  readonly loan?: string
}

/** What went out, at which cost, and the gain: value less cost, below zero for a loss. Null where a value is not known. */
export interface Disposal {
  readonly costE6: bigint | null
  /** Zero for what was moved and not given away. */
  readonly gainE6: bigint | null
  /** The part that came in by no recorded movement: it counts as bought for what it went out at, and has no gain. */
  readonly unmatched: bigint
}

export interface LotBook {
  /** Of each change that went out. */
  readonly disposals: ReadonlyMap<LotChange, Disposal>
  /** Of each asset, oldest first. */
  readonly lots: ReadonlyMap<string, ReadonlyArray<Lot>>
}

/** The part of a lot, and its share of the cost, rounded down; what is left has the rest, so that no cost is lost. */
const split = (lot: Lot, wanted: bigint): { readonly taken: Lot; readonly rest: Lot } => {
  const { costE6, units } = lot
  const taken = lesser(units, wanted)
  const takenCostE6 = costE6 === null ? null : mulDivRoundingDown(costE6, taken, units)
  return {
    taken: { ...lot, units: taken, costE6: takenCostE6 },
    rest: {
      ...lot,
      units: units - taken,
      costE6: costE6 === null || takenCostE6 === null ? null : costE6 - takenCostE6
    }
  }
}

/** Takes units out of lots, oldest first. */
const take = (lots: Array<Lot>, amount: bigint): { readonly taken: ReadonlyArray<Lot>; readonly missing: bigint } => {
  const all: Array<Lot> = []
  let missing = amount
  while (missing > 0n && lots.length > 0) {
    const { rest, taken } = split(lots[0]!, missing)
    missing -= taken.units
    all.push(taken)
    if (rest.units === 0n) lots.shift()
    else lots[0] = rest
  }
  return { taken: all, missing }
}

const costOf = (lots: ReadonlyArray<Lot>): bigint | null => sumOrNull(lots.map(({ costE6 }) => costE6))

/** A part of a change's value, rounded down. */
const valueOf = ({ amount, valueE6 }: LotChange, part: bigint): bigint | null =>
  valueE6 === null ? null : mulDivRoundingDown(valueE6, part, amount)

/** What a change takes out of lots, as lots. What never came in counts as bought for its value. */
const movedLots = (lots: Array<Lot>, change: LotChange) => {
  const { missing, taken } = take(lots, change.amount)
  const matchedE6 = valueOf(change, change.amount - missing)
  const missingE6 = change.valueE6 === null || matchedE6 === null ? null : change.valueE6 - matchedE6
  const moved = missing === 0n ? taken : [...taken, { units: missing, costE6: missingE6, atMs: change.atMs }]
  return { moved, taken, matchedE6, missing }
}

/** Puts lots back among others by the time at which they were acquired. */
const putBack = (lots: Array<Lot>, moved: ReadonlyArray<Lot>): void => {
  lots.push(...moved)
  lots.sort((a, b) => a.atMs - b.atMs)
}

/** The changes of accounts by their address, each in the order of time. */
export type AccountEntries = ReadonlyMap<string, ReadonlyArray<LotEntry>>

/**
 * The lots of an account by first in, first out. What is supplied to a lending market or put into a position keeps its cost
 * there, and what moves between own wallets keeps it in the other one.
 */
export const lotsOf = (entries: AccountEntries, account: string): LotBook => {
  const disposals = new Map<LotChange, Disposal>()
  const lotsByPlace = new Map<string, Array<Lot>>()
  const positionCosts = new Map<string, bigint | null>()
  const next = new Map<string, number>()
  const beingRead = new Set<string>()

  const lotsAt = (...place: ReadonlyArray<string>): Array<Lot> => {
    const key = place.join(" ")
    const lots = lotsByPlace.get(key) ?? []
    lotsByPlace.set(key, lots)
    return lots
  }

  const costIn = (position: string): bigint | null => {
    const costE6 = positionCosts.get(position)
    return costE6 === undefined ? 0n : costE6
  }

  const give = (lots: Array<Lot>, change: LotChange): void => {
    const { matchedE6, missing, moved, taken } = movedLots(lots, change)
    const takenCostE6 = costOf(taken)
    disposals.set(change, {
      costE6: matchedE6 === null ? null : costOf(moved),
      gainE6: matchedE6 === null || takenCostE6 === null ? null : matchedE6 - takenCostE6,
      unmatched: missing
    })
  }

  /** Takes lots out at their cost, with neither a gain nor a loss. */
  const move = (from: Array<Lot>, change: LotChange): ReadonlyArray<Lot> => {
    const { missing, moved } = movedLots(from, change)
    disposals.set(change, { costE6: costOf(moved), gainE6: 0n, unmatched: missing })
    return moved
  }

  const goOut = (owner: string, change: LotChange): void => {
    const { asset, holding, kind, transfer } = change
    const held = lotsAt(owner, asset)
    if (kind === "DEBT") {
      // What was borrowed goes back before other lots, so that these keep their cost.
      held.sort((a, b) => Number(b.loan === holding) - Number(a.loan === holding))
      move(held, change)
      putBack(held, [])
    } else if (transfer !== null) putBack(lotsAt("sent", transfer.key), move(held, change))
    else if (holding === null) give(held, change)
    else if (kind === "COLLATERAL") putBack(lotsAt(owner, holding, asset), move(held, change))
    else if (kind === "LIQUIDITY") {
      const position = `${owner} ${holding}`
      positionCosts.set(position, sumOrNull([costIn(position), costOf(move(held, change))]))
    } else give(lotsAt(owner, holding, asset), change)
  }

  const comeIn = (owner: string, change: LotChange): void => {
    const { amount, asset, atMs, holding, kind, transfer, valueE6 } = change
    const held = lotsAt(owner, asset)
    if (kind === "COLLATERAL" && holding !== null) {
      putBack(held, movedLots(lotsAt(owner, holding, asset), change).moved)
    } else if (transfer === null) {
      held.push({
        units: amount,
        costE6: valueE6,
        atMs,
        ...(kind === "DEBT" && holding !== null ? { loan: holding } : {})
      })
    } else {
      const sent = lotsAt("sent", transfer.key)
      if (sent.length === 0) read(transfer.counterparty, () => sent.length > 0)
      putBack(held, movedLots(sent, change).moved)
    }
  }

  /** What comes out of a position, at a share of the cost in it: that of the withdrawal, or the value of what a deposit left over. */
  const comeOutOf = (position: string, owner: string, { changes, withdrawnShare }: LotEntry): void => {
    const out = changes.filter(({ direction, kind }) => kind === "LIQUIDITY" && direction === "IN")
    const costE6 = costIn(position)
    const valueE6 = sumOrNull(out.map((change) => change.valueE6)) ?? 0n
    const outE6 =
      costE6 === null
        ? null
        : withdrawnShare === null
          ? lesser(costE6, valueE6)
          : shareRoundingDown(costE6, withdrawnShare)
    let restE6 = outE6
    for (const { amount, asset, atMs, valueE6: partE6 } of out.slice(1)) {
      const ownE6 =
        outE6 === null ? null : partE6 === null || valueE6 === 0n ? 0n : mulDivRoundingDown(outE6, partE6, valueE6)
      restE6 = restE6 === null || ownE6 === null ? null : restE6 - ownE6
      lotsAt(owner, asset).push({ units: amount, costE6: ownE6, atMs })
    }
    const [first] = out
    if (first !== undefined) {
      lotsAt(owner, first.asset).push({ units: first.amount, costE6: restE6, atMs: first.atMs })
    }
    const isWhole = withdrawnShare !== null && withdrawnShare.numerator === withdrawnShare.denominator
    positionCosts.set(position, isWhole ? 0n : costE6 === null || outE6 === null ? null : costE6 - outE6)
  }

  const apply = (owner: string, entry: LotEntry): void => {
    const positions = new Set<string>()
    for (const change of entry.changes) {
      if (change.kind === "PASS_THROUGH") continue
      if (change.direction === "OUT") goOut(owner, change)
      else if (change.kind !== "LIQUIDITY" || change.holding === null) comeIn(owner, change)
      else positions.add(change.holding)
    }
    for (const holding of positions) comeOutOf(`${owner} ${holding}`, owner, entry)
  }

  /** Applies the changes of an account until it has what another one waits for. */
  const read = (owner: string, isEnough: () => boolean): void => {
    const all = entries.get(owner) ?? []
    if (beingRead.has(owner)) return
    beingRead.add(owner)
    for (let place = next.get(owner) ?? 0; place < all.length && !isEnough(); place = next.get(owner)!) {
      next.set(owner, place + 1)
      apply(owner, all[place]!)
    }
    beingRead.delete(owner)
  }

  read(account, () => false)
  const assets = new Set((entries.get(account) ?? []).flatMap(({ changes }) => changes.map(({ asset }) => asset)))
  return { disposals, lots: new Map([...assets].map((asset) => [asset, lotsAt(account, asset)])) }
}
