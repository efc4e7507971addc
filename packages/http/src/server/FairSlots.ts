/** Why a request gets no slot: its group has used its share, or all slots are in use. */
export type SlotRefusal = "SHARE_USED" | "FULL"

/** A permit for one request. Only the first `release` has an effect. */
export interface Slot {
  readonly release: () => void
}

/**
 * Returns the maximum number of slots per group. The total is divided by the number of active groups plus one, so that
 * one share remains for a new group.
 */
export const shareOf = (slotsMax: number, groups: number): number => Math.max(1, Math.floor(slotsMax / (groups + 1)))

/**
 * Limits concurrent requests, with fair shares for groups such as projects. A group gets its first slot whenever any
 * slot is free. For a further slot, the group must be below its share, and more slots must be free than the share of a
 * new group. The second condition is necessary because shares shrink when a group joins, while earlier groups still
 * hold slots from their larger share.
 */
export class FairSlots {
  readonly #slotsMax: number
  readonly #groupMax: number
  readonly #open = new Map<string, number>()
  #count = 0

  /** `groupMax` limits a group even if no other group is active. */
  constructor(slotsMax: number, groupMax = slotsMax) {
    this.#slotsMax = slotsMax
    this.#groupMax = groupMax
  }

  take(group: string): Slot | SlotRefusal {
    if (this.#count >= this.#slotsMax) return "FULL"
    const openCount = this.#open.get(group) ?? 0
    if (openCount > 0 && !this.#hasFurtherSlot(openCount)) return "SHARE_USED"
    this.#open.set(group, openCount + 1)
    this.#count += 1
    let isReleased = false
    return {
      release: () => {
        if (isReleased) return
        isReleased = true
        this.#release(group)
      }
    }
  }

  #hasFurtherSlot(openCount: number): boolean {
    const groups = this.#open.size
    return (
      openCount < Math.min(this.#groupMax, shareOf(this.#slotsMax, groups)) &&
      this.#slotsMax - this.#count > shareOf(this.#slotsMax, groups + 1)
    )
  }

  #release(group: string): void {
    this.#count -= 1
    const openCount = this.#open.get(group)! - 1
    if (openCount === 0) this.#open.delete(group)
    else this.#open.set(group, openCount)
  }
}
