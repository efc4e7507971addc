/** Why there is no slot: the group holds its share already, or all slots are taken. */
export type SlotRefusal = "SHARE_USED" | "FULL"

/** The permission to be in progress, until it is released. Releasing it again does nothing. */
export interface Slot {
  readonly release: () => void
}

/**
 * How many slots a group may hold while so many groups hold some. All of them together leave a share for one more, so
 * that the next one finds room.
 */
export const shareOf = (slotsMax: number, groups: number): number => Math.max(1, Math.floor(slotsMax / (groups + 1)))

/** A number of requests that may be in progress at the same time, in fair shares for groups such as projects. */
export class FairSlots {
  readonly #slotsMax: number
  readonly #open = new Map<string, number>()
  #count = 0

  constructor(slotsMax: number) {
    this.#slotsMax = slotsMax
  }

  take(group: string): Slot | SlotRefusal {
    if (this.#count >= this.#slotsMax) return "FULL"
    const open = this.#open.get(group) ?? 0
    const groups = open === 0 ? this.#open.size + 1 : this.#open.size
    if (open >= shareOf(this.#slotsMax, groups)) return "SHARE_USED"
    this.#open.set(group, open + 1)
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

  #release(group: string): void {
    this.#count -= 1
    const open = this.#open.get(group)! - 1
    if (open === 0) this.#open.delete(group)
    else this.#open.set(group, open)
  }
}
