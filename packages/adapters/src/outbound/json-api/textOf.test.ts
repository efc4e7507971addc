import { assert, describe, it } from "@effect/vitest"
import { textOf } from "./textOf.ts"

/** An endless body that counts the bytes that were read. */
const endless = () => {
  let readBytes = 0
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      readBytes += 1_000
      controller.enqueue(new Uint8Array(1_000).fill(0x20))
    },
    cancel: () => {
      isCancelled = true
    }
  })
  return { response: new Response(body), countBytes: () => readBytes, isCancelled: () => isCancelled }
}

describe("textOf", () => {
  it("is the text of a body up to its limit", async () => {
    assert.strictEqual(await textOf(new Response("å".repeat(50)), 100), "å".repeat(50))
    assert.isNull(await textOf(new Response("å".repeat(51)), 100))
    assert.strictEqual(await textOf(new Response(null), 100), "")
  })

  it("does not wait for the rest of a longer body", async () => {
    const { isCancelled, response, countBytes } = endless()
    assert.isNull(await textOf(response, 10_000))
    assert.isTrue(isCancelled())
    assert.isAtMost(countBytes(), 13_000)
  })
})
