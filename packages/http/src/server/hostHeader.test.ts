import { assert, describe, it } from "@effect/vitest"
import { hostProblemOrNull } from "./nodeServer.ts"

describe("hostProblemOrNull", () => {
  it.each(["a", "localhost:3000", "127.0.0.1:80", "api.example.com", "[::1]:3000", "my_host"])("takes %s", (host) => {
    assert.isNull(hostProblemOrNull(["accept", "host", "Host", host]))
  })

  it("takes none", () => assert.isNull(hostProblemOrNull(["accept", "host"])))

  it.each(["", "a/b", "a?b", "a#b", "user@a", 'a"><script>', "a b", "a,b", "a:port", "[::1", "a\\b", "é.example"])(
    "refuses %j",
    (host) => {
      assert.match(hostProblemOrNull(["host", host]) ?? "", /no host name/u)
    }
  )

  it("refuses two, be they the same", () => {
    assert.match(hostProblemOrNull(["Host", "a", "accept", "b", "host", "a"]) ?? "", /more than one/u)
  })
})
