import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { SandboxError } from "../SandboxError.ts"
import { anvilBinary } from "./anvilBinary.ts"

const manifest = new URL("../../../package.json", import.meta.url)

describe("anvilBinary", () => {
  it("says what to install where anvil is missing, in the version that the package was made with", () => {
    const { dependencies, devDependencies, peerDependencies } = JSON.parse(readFileSync(manifest, "utf8"))
    const wanted = `@foundry-rs/anvil@${peerDependencies["@foundry-rs/anvil"]}`
    assert.throws(() => anvilBinary("file:///nowhere/index.js"), SandboxError, `npm install --save-dev ${wanted}`)
    assert.strictEqual(devDependencies["@foundry-rs/anvil"], peerDependencies["@foundry-rs/anvil"])
    assert.notProperty(dependencies, "@foundry-rs/anvil")
  })
})
