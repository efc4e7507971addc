import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { endpointList } from "../../src/api/endpoints/index.ts"

const readText = (file: string) => readFileSync(join(import.meta.dirname, "../..", file), "utf8")

it("shows a swap in the README that is the same as the executed example", () => {
  const swap = readText("README.md").split("## A swap")[1]!.split("\n## ")[0]!
  const snippets = [...swap.matchAll(/```ts\n(.*?)```/gsu)].map(([, code]) => code!)
  assert.strictEqual(snippets.length, 2)
  const example = readText("examples/embed-promise.ts")
  for (const snippet of snippets) assert.include(example, snippet)
})

it("lists every call in the README", () => {
  const rows = [...readText("README.md").matchAll(/^\|([^|]*)\|([^|]*)\|$/gmu)]
  const words = (cell = "") => [...cell.matchAll(/`(\w+)`/gu)].map(([, word]) => word!)
  const listedCalls = rows.flatMap(([, groups, calls]) => {
    const names = words(groups)
    return words(calls).flatMap((call) => (names.length === 0 ? [call] : names.map((group) => `${group}.${call}`)))
  })
  assert.includeMembers(
    listedCalls,
    endpointList.flatMap(({ id, isFile }) => (isFile ? [] : [id]))
  )
})
