import { clientNetwork } from "./clientNetwork.ts"
import { FairSlots, type Slot, type SlotRefusal } from "./FairSlots.ts"

/**
 * Slots in fair shares for client networks, on two levels: the subnets of a site share the site's slots. So a client
 * that owns many IPv6 subnets only uses up its site's share.
 */
export class NetworkSlots {
  readonly #sites: FairSlots
  readonly #subnets: FairSlots

  constructor(slotsMax: number, limits: { readonly subnet: number; readonly site: number }) {
    this.#sites = new FairSlots(slotsMax, limits.site)
    this.#subnets = new FairSlots(slotsMax, limits.subnet)
  }

  take(address: string): Slot | SlotRefusal {
    const { site, subnet } = clientNetwork(address)
    const siteSlot = this.#sites.take(site)
    if (typeof siteSlot === "string") return siteSlot
    const subnetSlot = this.#subnets.take(subnet)
    if (typeof subnetSlot === "string") {
      siteSlot.release()
      return subnetSlot
    }
    return {
      release: () => {
        subnetSlot.release()
        siteSlot.release()
      }
    }
  }
}
