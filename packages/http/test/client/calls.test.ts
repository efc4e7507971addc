import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { ProjectCalls } from "@countersign/adapters"
import { callableEndpoints, callShapeOf, endpoints } from "@countersign/adapters/api/endpoints"
import { ProjectId } from "@countersign/core/tenancy/projects"
import { createClient } from "@countersign/http/client"
import { assert, describe, it } from "@effect/vitest"
import { projectCalls } from "../../../adapters/src/service/countersign/projectCalls.ts"
import { combinedCallsText, tableText } from "../../callTypes.ts"

/** Compares the calls of the client and the library with the endpoints. */

const client = createClient({ url: "http://127.0.0.1:1", apiKey: "key" })
const library = projectCalls(() => Promise.reject(new Error("not run")), ProjectId.make(crypto.randomUUID()))

/** Returns `group.method` of each call, or only the method of a call without a group. */
const namesOf = (calls: object): ReadonlyArray<string> =>
  Object.entries(calls).flatMap(([name, call]) =>
    typeof call === "function" ? [name] : Object.keys(call).map((method) => `${name}.${method}`)
  )

/** Calls of the client and the library that combine several requests. */
const handwrittenCalls = ["swap.quote", "limitOrders.list", "userOperations.wait", "wallets.registerBitcoin", "wait"]

describe("the calls", () => {
  it("of the client match the endpoints and the combined calls", () => {
    assert.sameMembers(
      [...namesOf(client)],
      [...callableEndpoints.map(({ id }) => id), ...handwrittenCalls, "kyc.upload", "events"]
    )
  })

  it("of the library have the same names and types", () => {
    assert.sameMembers([...namesOf(library)], [...callableEndpoints.map(({ id }) => id), ...handwrittenCalls])
    const calls: ProjectCalls = client
    assert.strictEqual(calls.swap.quote, client.swap.quote)
  })

  it("have the keys of the endpoints as their names", () => {
    for (const [group, members] of Object.entries(endpoints)) {
      for (const [name, endpoint] of Object.entries(members)) {
        const shape = callShapeOf(endpoint)
        assert.deepStrictEqual([shape.group ?? group, shape.name], [group, name])
      }
    }
  })

  it("of the client match the requests that `npm run client:types -w packages/http` generates", () => {
    const textOf = (path: string) => readFileSync(join(import.meta.dirname, "../../..", path), "utf8")
    const library = textOf("adapters/src/service/countersign/combinedCalls.ts")
    assert.strictEqual(textOf("http/src/client/requests.ts"), tableText())
    assert.strictEqual(textOf("http/src/client/combinedCalls.ts"), combinedCallsText(library))
  })
})
