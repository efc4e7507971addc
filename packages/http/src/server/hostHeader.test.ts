import { assert, describe, it } from "@effect/vitest"
import { hostProblemOrNull, isHostAllowed } from "./hosts.ts"

describe("hostProblemOrNull", () => {
  it.each(["a", "localhost:3000", "127.0.0.1:80", "api.example.com", "[::1]:3000", "my_host"])("accepts %s", (host) => {
    assert.isNull(hostProblemOrNull(["accept", "host", "Host", host]))
  })

  it("accepts a request without a Host header", () => assert.isNull(hostProblemOrNull(["accept", "host"])))

  it.each(["", "a/b", "a?b", "a#b", "user@a", 'a"><script>', "a b", "a,b", "a:port", "[::1", "a\\b", "é.example"])(
    "rejects %j",
    (host) => {
      assert.match(hostProblemOrNull(["host", host]) ?? "", /not a host name/u)
    }
  )

  it("rejects two Host headers, even if they are equal", () => {
    assert.match(hostProblemOrNull(["Host", "a", "accept", "b", "host", "a"]) ?? "", /more than one/u)
  })
})

describe("isHostAllowed", () => {
  it.each([
    "localhost:3000",
    "127.0.0.1",
    "127.0.0.2:80",
    "[::1]:3000",
    "LOCALHOST",
    "wallet.example",
    "Wallet.Example:443"
  ])("allows %s", (host) => assert.isTrue(isHostAllowed(["host", host], ["wallet.example:3000"])))

  it.each([
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "wallet.example.evil.example",
    "192.0.2.1",
    "0.0.0.0:3000",
    "[2001:db8::1]",
    "1"
  ])("rejects %s", (host) => assert.isFalse(isHostAllowed(["host", host], ["wallet.example:3000"])))

  it.each(["2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:3000"])(
    "compares the complete IPv6 address %s",
    (allowed) => {
      assert.isTrue(isHostAllowed(["host", "[2001:db8::1]:3000"], [allowed]))
      assert.isTrue(isHostAllowed(["host", "[2001:db8::1]"], [allowed]))
      assert.isFalse(isHostAllowed(["host", "[2001:db8::5]"], [allowed]))
    }
  )

  it.each(["0.0.0.0", "::"])(
    "allows addresses, and only the name localhost, if the service listens on %s",
    (wildcard) => {
      for (const host of ["192.0.2.1:3000", "[2001:db8::1]", "localhost"])
        assert.isTrue(isHostAllowed(["host", host], [wildcard]), host)
      for (const host of ["evil.example", "192.0.2.1.evil.example"])
        assert.isFalse(isHostAllowed(["host", host], [wildcard]), host)
    }
  )
})
