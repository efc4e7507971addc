/** Why there is no slot: the group has used its share, or all slots are in use. */
export type SlotRefusal = "SHARE_USED" | "FULL"

/** A permit for one request, until it is released. A second release has no effect. */
export interface Slot {
  readonly release: () => void
}

/**
 * The maximum number of slots per group for this number of active groups. Together the groups leave a share for one
 * more group.
 */
export const shareOf = (slotsMax: number, groups: number): number => Math.max(1, Math.floor(slotsMax / (groups + 1)))

/**
 * A limit on concurrent requests, in fair shares for groups such as projects. A group gets its first slot whenever a
 * slot is free. It gets a further slot only while the free slots exceed the share of one more group. This rule is
 * needed because earlier groups keep slots from the time when their shares were larger.
 */
export class FairSlots {
  readonly #slotsMax: number
  readonly #groupMax: number
  readonly #open = new Map<string, number>()
  #count = 0

  /** `groupMax` limits each group, even if it is the only one. */
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

  #hasFurtherSlot(open: number): boolean {
    const groups = this.#open.size
    return (
      open < Math.min(this.#groupMax, shareOf(this.#slotsMax, groups)) &&
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
