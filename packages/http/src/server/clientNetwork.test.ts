import { assert, describe, it } from "@effect/vitest"
import { clientNetwork } from "./clientNetwork.ts"

describe("clientNetwork", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2", "2001:db8:1"],
    ["2001:db8:1:2::6", "2001:db8:1:2", "2001:db8:1"],
    ["2001:db8:1:3::6", "2001:db8:1:3", "2001:db8:1"],
    ["2001:db8::1", "2001:db8:0:0", "2001:db8:0"],
    ["::1", "0:0:0:0", "0:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0", "fe80:0:0"],
    ["", "", ""]
  ])("of %s is the subnet %s of the site %s", (address, subnet, site) =>
    assert.deepStrictEqual(clientNetwork(address), { subnet, site })
  )
})
