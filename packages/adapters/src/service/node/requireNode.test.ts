import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { MIN_NODE_VERSION, requireNode } from "./requireNode.ts"

describe("a Node version that is too old", () => {
  it.each(["20.20.2", "22.9.0", "22.18.1", "18.0.0"])("is rejected with its number: %s", (version) => {
    assert.throws(() => requireNode(version), `Node ${MIN_NODE_VERSION} or later, and this is ${version}`)
  })

  it.each(["22.19.0", "22.20.1", "24.0.0", "26.1.0"])("is not %s", (version) => requireNode(version))

  it.each(["core", "adapters", "http"])("is below the `engines` of %s", (name) => {
    const manifest = readFileSync(join(import.meta.dirname, "../../../..", name, "package.json"), "utf8")
    assert.strictEqual(JSON.parse(manifest).engines.node, `>=${MIN_NODE_VERSION}`)
  })
})
