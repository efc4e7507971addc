import { assert, describe, it } from "@effect/vitest"
import { broadcastRefusalOrNull } from "./broadcastRefusal.ts"

const verdicts: ReadonlyArray<readonly [number, string, string | null]> = [
  [-22, "TX decode failed. Make sure the tx has at least one input.", "INVALID"],
  [-25, "bad-txns-inputs-missingorspent", "TAKEN"],
  [-25, "Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)", "POLICY"],
  [-26, "txn-mempool-conflict", "TAKEN"],
  [-26, "insufficient fee, rejecting replacement", "TAKEN"],
  [-26, "min relay fee not met, 1 < 110", "POLICY"],
  [-26, "mempool min fee not met", "POLICY"],
  [-26, "non-final", "POLICY"],
  [-26, "bad-txns-in-belowout", "INVALID"],
  [-26, "dust", "POLICY"],
  [-26, "scriptpubkey", "POLICY"],
  [-26, "txn-already-known", "KNOWN"],
  [-27, "Transaction outputs already in utxo set", "KNOWN"],
  [-28, "Loading block index…", null],
  [-32603, "Internal error", null],
  [-7, "Out of memory", null]
]

describe("a rejection by Bitcoin Core", () => {
  it.each(verdicts)("%i %s is %s", (code, message, kind) => {
    assert.strictEqual(broadcastRefusalOrNull(code, message)?.kind ?? null, kind)
  })
})
