import {
  minBigInt,
  mulDivRoundingDown,
  proportionalAmounts,
  type Ratio,
  shareRoundingDown
} from "../../foundation/primitives/index.ts"
import { sumOrNull } from "../portfolio/index.ts"
import type { TaxKind } from "../tax-treatment/index.ts"

/**
 * A change of an account's balance of one asset, with its value in one currency. The value is null if it is unknown.
 */
export interface LotChange {
  readonly direction: "IN" | "OUT"
  readonly kind: TaxKind
  readonly asset: string
  /** Base units, above zero. */
  readonly amount: bigint
  /** Millionths of the currency. */
  readonly valueE6: bigint | null
  readonly atMs: number
  /** The key of the loan or position that the change affects. Null if it affects none. */
  readonly holding: string | null
  /** For a transfer between the owner's wallets: the other account, and a key that both sides share. Otherwise null. */
  readonly transfer: { readonly counterparty: string; readonly key: string } | null
}

/** The changes of one entry, such as an exchange and its fees. */
export interface LotEntry {
  readonly changes: ReadonlyArray<LotChange>
  /**
   * The share of the position's cost that is withdrawn. Null if the entry withdraws no share, as for the unused part of
   * a deposit.
   */
  readonly withdrawnShare: Ratio | null
}

/** The remaining amount of an acquisition, and its cost. */
export interface Lot {
  readonly units: bigint
  readonly costE6: bigint | null
  readonly atMs: number
  /** The loan from which the lot was borrowed. Absent for other lots. */
  readonly loan?: string
}

/** An outflow with its cost and its gain: value minus cost, negative for a loss. Null if a value is unknown. */
export interface Disposal {
  readonly costE6: bigint | null
  /** Zero for outflows at cost: transfers between the owner's wallets or holdings, and repayments of loans. */
  readonly gainE6: bigint | null
  /** The amount without a recorded inflow. It counts as bought at the price of the outflow, so it has no gain. */
  readonly unmatched: bigint
}

export interface LotBook {
  /** The disposal of each outflow, except those that pass through. */
  readonly disposals: ReadonlyMap<LotChange, Disposal>
  /**
   * The remaining lots of each asset in the wallet, oldest first. Lots in a lending market or a position are not
   * included.
   */
  readonly lots: ReadonlyMap<string, ReadonlyArray<Lot>>
}

/**
 * Splits a lot. `part` contains its share of the cost, rounded down. `rest` contains the remainder, so that no cost is
 * lost.
 */
const splitLot = (lot: Lot, wantedUnits: bigint): { readonly part: Lot; readonly rest: Lot } => {
  const { costE6, units } = lot
  const partUnits = minBigInt(units, wantedUnits)
  const partCostE6 = costE6 === null ? null : mulDivRoundingDown(costE6, partUnits, units)
  return {
    part: { ...lot, units: partUnits, costE6: partCostE6 },
    rest: {
      ...lot,
      units: units - partUnits,
      costE6: costE6 === null || partCostE6 === null ? null : costE6 - partCostE6
    }
  }
}

/** Removes an amount from lots, oldest first. */
const takeLots = (
  lots: Array<Lot>,
  amount: bigint
): { readonly takenLots: ReadonlyArray<Lot>; readonly missingUnits: bigint } => {
  const takenLots: Array<Lot> = []
  let missingUnits = amount
  while (missingUnits > 0n && lots.length > 0) {
    const { part, rest } = splitLot(lots[0]!, missingUnits)
    missingUnits -= part.units
    takenLots.push(part)
    if (rest.units === 0n) lots.shift()
    else lots[0] = rest
  }
  return { takenLots, missingUnits }
}

const costOf = (lots: ReadonlyArray<Lot>): bigint | null => sumOrNull(lots.map(({ costE6 }) => costE6))

/** Returns the value of a part of a change. Rounded down. */
const valueOf = ({ amount, valueE6 }: LotChange, part: bigint): bigint | null =>
  valueE6 === null ? null : mulDivRoundingDown(valueE6, part, amount)

/**
 * Removes the lots that a change needs, and returns them. An amount without a recorded inflow counts as bought at its
 * value.
 */
const removeLots = (lots: Array<Lot>, change: LotChange) => {
  const { missingUnits, takenLots } = takeLots(lots, change.amount)
  const matchedE6 = valueOf(change, change.amount - missingUnits)
  const missingE6 = change.valueE6 === null || matchedE6 === null ? null : change.valueE6 - matchedE6
  const removedLots =
    missingUnits === 0n ? takenLots : [...takenLots, { units: missingUnits, costE6: missingE6, atMs: change.atMs }]
  return { movedOut: removedLots, takenLots, matchedE6, missingUnits }
}

/** Inserts lots into others, sorted by acquisition time. */
const insertLots = (lots: Array<Lot>, newLots: ReadonlyArray<Lot>): void => {
  lots.push(...newLots)
  lots.sort((a, b) => a.atMs - b.atMs)
}

/**
 * Returns the costs of tokens that leave a position, and the cost that remains in it. A withdrawal takes the withdrawn
 * share of the cost. The unused part of a deposit takes a cost equal to its value, at most the position's cost. The
 * cost is split among the tokens in proportion to their values. If a value is unknown, the first token takes the whole
 * cost. If the position's cost is unknown, all costs are null. If the position has no recorded deposit, the cost of the
 * tokens is their value. The remaining cost is undefined in this case, and after a full withdrawal.
 */
const withdrawnCosts = (
  costE6: bigint | null | undefined,
  values: ReadonlyArray<bigint | null>,
  withdrawnShare: Ratio | null
): { readonly costs: ReadonlyArray<bigint | null>; readonly leftE6: bigint | null | undefined } => {
  if (costE6 === undefined) return { costs: values, leftE6: undefined }
  const isFullWithdrawal = withdrawnShare !== null && withdrawnShare.numerator === withdrawnShare.denominator
  if (costE6 === null) return { costs: values.map(() => null), leftE6: isFullWithdrawal ? undefined : null }
  const valueE6 = sumOrNull(values) ?? 0n
  const withdrawnE6 = withdrawnShare === null ? minBigInt(costE6, valueE6) : shareRoundingDown(costE6, withdrawnShare)
  const weights = values.map((value, i) => (valueE6 === 0n ? (i === 0 ? 1n : 0n) : value!))
  return {
    costs: proportionalAmounts(withdrawnE6, weights),
    leftE6: isFullWithdrawal ? undefined : costE6 - withdrawnE6
  }
}

/**
 * Maximum time in milliseconds by which the receiving wallet may record a transfer before the sending wallet. If the
 * sending wallet has not recorded the transfer by then, the received amount counts as bought at its value. Its later
 * changes must not be applied early, because later transfers between the two wallets would lose their cost.
 */
const MAX_TRANSFER_LEAD_MS = 3_600_000

const isNotAfter = ({ changes }: LotEntry, untilMs: number): boolean => changes.every(({ atMs }) => atMs <= untilMs)

/** The changes by account address. Each list is sorted by time. */
export type AccountEntries = ReadonlyMap<string, ReadonlyArray<LotEntry>>

/**
 * Computes the lots of an account by FIFO. Tokens keep their cost in a lending market, in a position, and in transfers
 * between the owner's wallets.
 */
export const lotsOf = (entries: AccountEntries, account: string): LotBook => {
  const disposals = new Map<LotChange, Disposal>()
  const lotsByLocation = new Map<string, Array<Lot>>()
  const positionCosts = new Map<string, bigint | null>()
  const nextIndices = new Map<string, number>()
  const accountsInProgress = new Set<string>()

  const lotsAt = (...location: ReadonlyArray<string>): Array<Lot> => {
    const key = location.join(" ")
    const lots = lotsByLocation.get(key) ?? []
    lotsByLocation.set(key, lots)
    return lots
  }

  const recordDisposal = (lots: Array<Lot>, change: LotChange): void => {
    const { matchedE6, missingUnits, movedOut, takenLots } = removeLots(lots, change)
    const takenCostE6 = costOf(takenLots)
    disposals.set(change, {
      costE6: matchedE6 === null ? null : costOf(movedOut),
      gainE6: matchedE6 === null || takenCostE6 === null ? null : matchedE6 - takenCostE6,
      unmatched: missingUnits
    })
  }

  /** Removes lots at their cost, without gain or loss. */
  const moveAtCost = (from: Array<Lot>, change: LotChange): ReadonlyArray<Lot> => {
    const { missingUnits, movedOut } = removeLots(from, change)
    disposals.set(change, { costE6: costOf(movedOut), gainE6: 0n, unmatched: missingUnits })
    return movedOut
  }

  const recordOutflow = (owner: string, change: LotChange): void => {
    const { asset, holding, kind, transfer } = change
    const walletLots = lotsAt(owner, asset)
    if (kind === "DEBT") {
      // A repayment uses the borrowed lots first, so that other lots keep their cost.
      walletLots.sort((a, b) => Number(b.loan === holding) - Number(a.loan === holding))
      moveAtCost(walletLots, change)
      insertLots(walletLots, [])
    } else if (transfer !== null) insertLots(lotsAt("sent", transfer.key), moveAtCost(walletLots, change))
    else if (holding === null) recordDisposal(walletLots, change)
    else if (kind === "COLLATERAL") insertLots(lotsAt(owner, holding), moveAtCost(walletLots, change))
    else if (kind === "LIQUIDITY") {
      const position = `${owner} ${holding}`
      const costBefore = positionCosts.has(position) ? positionCosts.get(position)! : 0n
      positionCosts.set(position, sumOrNull([costBefore, costOf(moveAtCost(walletLots, change))]))
    } else recordDisposal(lotsAt(owner, holding), change)
  }

  const recordInflow = (owner: string, change: LotChange): void => {
    const { amount, asset, atMs, holding, kind, transfer, valueE6 } = change
    const walletLots = lotsAt(owner, asset)
    if (kind === "COLLATERAL" && holding !== null) {
      insertLots(walletLots, removeLots(lotsAt(owner, holding), change).movedOut)
    } else if (transfer === null) {
      walletLots.push({
        units: amount,
        costE6: valueE6,
        atMs,
        ...(kind === "DEBT" && holding !== null ? { loan: holding } : {})
      })
    } else {
      const sentLots = lotsAt("sent", transfer.key)
      if (sentLots.length === 0)
        applyEntries(transfer.counterparty, () => sentLots.length > 0, atMs + MAX_TRANSFER_LEAD_MS)
      insertLots(walletLots, removeLots(sentLots, change).movedOut)
    }
  }

  const withdrawFromPosition = (position: string, owner: string, { changes, withdrawnShare }: LotEntry): void => {
    const withdrawnChanges = changes.filter(({ direction, kind }) => kind === "LIQUIDITY" && direction === "IN")
    const values = withdrawnChanges.map(({ valueE6 }) => valueE6)
    const { costs, leftE6 } = withdrawnCosts(positionCosts.get(position), values, withdrawnShare)
    for (const [i, { amount, asset, atMs }] of withdrawnChanges.entries()) {
      lotsAt(owner, asset).push({ units: amount, costE6: costs[i]!, atMs })
    }
    if (leftE6 === undefined) positionCosts.delete(position)
    else positionCosts.set(position, leftE6)
  }

  const apply = (owner: string, entry: LotEntry): void => {
    const positions = new Set<string>()
    for (const change of entry.changes) {
      if (change.kind === "PASS_THROUGH") continue
      if (change.direction === "OUT") recordOutflow(owner, change)
      else if (change.kind !== "LIQUIDITY" || change.holding === null) recordInflow(owner, change)
      else positions.add(change.holding)
    }
    for (const holding of positions) withdrawFromPosition(`${owner} ${holding}`, owner, entry)
  }

  /**
   * Applies the changes of an account that are not applied yet, up to a time and at most until `isEnough` returns true.
   * Does nothing while changes of the same account are being applied.
   */
  const applyEntries = (owner: string, isEnough: () => boolean, untilMs = Number.POSITIVE_INFINITY): void => {
    const accountEntries = entries.get(owner) ?? []
    if (accountsInProgress.has(owner)) return
    accountsInProgress.add(owner)
    for (
      let index = nextIndices.get(owner) ?? 0;
      index < accountEntries.length && !isEnough() && isNotAfter(accountEntries[index]!, untilMs);
      index = nextIndices.get(owner)!
    ) {
      nextIndices.set(owner, index + 1)
      apply(owner, accountEntries[index]!)
    }
    accountsInProgress.delete(owner)
  }

  applyEntries(account, () => false)
  const assets = new Set((entries.get(account) ?? []).flatMap(({ changes }) => changes.map(({ asset }) => asset)))
  return { disposals, lots: new Map([...assets].map((asset) => [asset, lotsAt(account, asset)])) }
}
