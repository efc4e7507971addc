import { assert, describe, it } from "@effect/vitest"
import { isPublicAddress } from "../public-web/index.ts"
import { webhookUrlProblem } from "./webhookUrl.ts"

describe("isPublicAddress", () => {
  it.each(["1.1.1.1", "8.8.8.8", "93.184.215.14", "172.15.255.255", "172.32.0.1", "100.63.0.1", "2606:4700::1111"])(
    "accepts %s",
    (address) => {
      assert.isTrue(isPublicAddress(address))
    }
  )

  it.each([
    ["this machine", "127.0.0.1"],
    ["this machine", "127.255.255.254"],
    ["this machine", "::1"],
    ["the unspecified address", "0.0.0.0"],
    ["the unspecified address", "::"],
    ["a private network", "10.1.2.3"],
    ["a private network", "172.16.0.1"],
    ["a private network", "172.31.255.255"],
    ["a private network", "192.168.1.1"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["carrier-grade NAT", "100.127.255.255"],
    ["a cloud's metadata", "169.254.169.254"],
    ["a cloud's metadata", "fd00:ec2::254"],
    ["link-local", "fe80::1"],
    ["link-local with a zone", "fe80::1%eth0"],
    ["unique local", "fc00::1"],
    ["mapped IPv4", "::ffff:127.0.0.1"],
    ["mapped IPv4", "::ffff:7f00:1"],
    ["mapped IPv4", "::ffff:10.0.0.1"],
    ["compatible IPv4", "::7f00:1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["6to4", "2002:7f00:1::"],
    ["Teredo", "2001::1"],
    ["documentation", "2001:db8::1"],
    ["documentation", "203.0.113.9"],
    ["benchmarking", "198.18.0.1"],
    ["multicast", "224.0.0.1"],
    ["multicast", "ff02::1"],
    ["broadcast", "255.255.255.255"],
    ["reserved", "240.0.0.1"],
    ["no address", "example.com"],
    ["no address", ""]
  ])("rejects %s: %s", (_, address) => {
    assert.isFalse(isPublicAddress(address))
  })
})

describe("webhookUrlProblem", () => {
  const codeOf = (url: string, allowPrivate = false) => webhookUrlProblem(url, allowPrivate)?.code ?? null

  it.each([
    ["https://example.com/hook?a=1", null],
    ["https://example.com:8443/", null],
    ["https://1.1.1.1/", null],
    ["https://[2606:4700::1111]/", null],
    ["http://example.com/", "not_https"],
    ["ftp://example.com/", "not_https"],
    ["javascript:alert(1)", "not_https"],
    ["nonsense", "invalid_url"],
    ["", "invalid_url"],
    ["https://", "invalid_url"],
    ["https://user@example.com/", "credentials"],
    ["https://user:password@example.com/", "credentials"],
    [`https://example.com/${"a".repeat(2048)}`, "too_long"],
    ["https://localhost/", "private_target"],
    ["https://printer.local/", "private_target"],
    ["https://metadata.google.internal/", "private_target"],
    ["https://intranet/", "private_target"],
    ["https://127.0.0.1/", "private_target"],
    ["https://2130706433/", "private_target"],
    ["https://0x7f.1/", "private_target"],
    ["https://0177.0.0.1/", "private_target"],
    ["https://169.254.169.254/latest/meta-data", "private_target"],
    ["https://[::1]/", "private_target"],
    ["https://[::ffff:10.0.0.1]/", "private_target"],
    ["https://[64:ff9b::a9fe:a9fe]/", "private_target"]
  ])("%s: %s", (url, code) => {
    assert.strictEqual(codeOf(url), code)
  })

  it.each([
    ["http://127.0.0.1:8080/", null],
    ["http://localhost/", null],
    ["https://10.0.0.1/", null],
    ["ftp://localhost/", "not_https"],
    ["http://user:password@localhost/", "credentials"]
  ])("where private targets are allowed, %s: %s", (url, code) => {
    assert.strictEqual(codeOf(url, true), code)
  })
})
