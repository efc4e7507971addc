import { Hash32 } from "@countersign/core/foundation/primitives"
import { assert, describe, it } from "@effect/vitest"
import { HostFailure, ResponseTooLarge } from "../../outbound/json-api/index.ts"
import type { RpcClients } from "../evm/index.ts"
import { transactionEvidence } from "./transactionEvidence.ts"

const hash = Hash32.make(`0x${"a1".repeat(32)}`)

/** Returns the evidence if the nodes of a chain fail with these errors. */
const evidenceFrom = (...failures: ReadonlyArray<Error>) => {
  const nodes = failures.map((failure) => ({ name: "node", request: () => Promise.reject(failure) }))
  const rpc: Pick<RpcClients["Service"], "witnesses"> = { witnesses: () => ({ nodes, required: 2 }) }
  return transactionEvidence(rpc as RpcClients["Service"], 1, hash)
}

describe("transactionEvidence", () => {
  it("reports that a receipt is too large only if enough nodes agree", async () => {
    const [tooLarge, tooSlow] = [new ResponseTooLarge("too large"), new HostFailure("too slow", "TOO_HEAVY")]
    assert.strictEqual(await evidenceFrom(tooLarge, tooSlow, tooLarge), "TOO_LARGE")
    assert.isNull(await evidenceFrom(tooLarge, tooSlow, tooSlow))
  })
})
