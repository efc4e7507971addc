import { assert, describe, it } from "@effect/vitest"
import { NetworkSlots } from "./NetworkSlots.ts"

/** Requests `times` slots for each address, and returns the slots that were granted. */
const takeSlots = (slots: NetworkSlots, addresses: ReadonlyArray<string>, times: number) =>
  Array.from({ length: times }, () => addresses.map((address) => slots.take(address)))
    .flat()
    .filter((slot) => typeof slot !== "string")

describe("NetworkSlots", () => {
  const subnets = Array.from({ length: 1_000 }, (_, nth) => `2001:db8:1:${nth.toString(16)}::1`)

  it("gives all subnets of one site together the share of one site", () => {
    const slots = new NetworkSlots(128, { subnet: 8, site: 32 })
    assert.lengthOf(takeSlots(slots, subnets, 2), 32)
    assert.lengthOf(takeSlots(slots, ["192.0.2.7"], 9), 3)
    assert.lengthOf(takeSlots(slots, ["2001:db8:2::1"], 1), 1)
  })

  it("limits one subnet, and one IPv4 address, to less than a site", () => {
    const slots = new NetworkSlots(128, { subnet: 8, site: 32 })
    assert.lengthOf(takeSlots(slots, ["2001:db8:1:2::1", "2001:db8:1:2::2"], 20), 8)
    assert.lengthOf(takeSlots(slots, ["192.0.2.7"], 20), 8)
  })

  it("releases a slot in the shares of the subnet and of the site, only once", () => {
    const slots = new NetworkSlots(128, { subnet: 8, site: 32 })
    for (let round = 0; round < 3; round++) {
      const heldSlots = takeSlots(slots, subnets, 1)
      assert.lengthOf(heldSlots, 32)
      for (const slot of heldSlots) {
        slot.release()
        slot.release()
      }
    }
  })
})
