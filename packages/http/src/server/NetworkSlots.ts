import { clientNetwork } from "./clientNetwork.ts"
import { FairSlots, type Slot, type SlotRefusal } from "./FairSlots.ts"

/**
 * Limits concurrent requests with fair shares for client networks on two levels: subnets share the slots of their site.
 * A client that owns many IPv6 subnets can therefore use only the share of one site.
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
