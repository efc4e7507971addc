import { assert, describe, it } from "@effect/vitest"
import { aHash } from "../../foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../foundation/primitives/index.ts"
import { selectionOfFixedUtxos } from "./fixedUtxos.ts"

/** Tests that UTXOs chosen by a third party are compared with the wallet's on-chain UTXOs. */

const SCRIPT = HexBytes.make(`0x0014${"11".repeat(20)}`)
const VAULT = HexBytes.make(`0x0014${"22".repeat(20)}`)

const utxoOf = (value: bigint) => ({ txid: aHash(), vout: 0, value, script: SCRIPT, block: null })
const [first, second] = [utxoOf(60_000n), utxoOf(50_000n)]
const ownUtxos = [first, second]

const order = {
  kind: "P2WPKH" as const,
  script: SCRIPT,
  outputs: [{ script: VAULT, value: 70_000n }],
  maxFeeRate: 9_000n,
  minFeeRate: 1_000n,
  coins: ownUtxos.map(({ txid, vout }) => ({ txid, vout, sequence: 0xffff_ffff })),
  change: 39_400n
}

describe("UTXOs that a third party has chosen", () => {
  it("lead to a fee that is computed from the on-chain amounts", () => {
    const selection = selectionOfFixedUtxos(order, ownUtxos)
    assert.isTrue(typeof selection !== "string" && selection.fee === 600n && selection.change === 39_400n)
  })

  it.each([
    [
      "a UTXO of another wallet",
      { coins: [...order.coins, { txid: aHash(), vout: 0, sequence: 1 }] },
      /does not have/u
    ],
    ["none", { coins: [] }, /does not have/u],
    ["one twice", { coins: [order.coins[0]!, order.coins[0]!] }, /twice/u],
    ["a fee of zero", { change: 40_000n }, /miner fee is 0 satoshis/u],
    ["more than the inputs", { change: 40_001n }, /miner fee is -1 satoshis/u],
    ["a fee of most of the amount", { change: 10_000n }, /miner fee is 30000 satoshis/u],
    ["change that is dust", { change: 100n }, /below the minimum output that nodes relay/u]
  ] as const)("are refused: %s", (_name, changes, reason) => {
    assert.match(String(selectionOfFixedUtxos({ ...order, ...changes }, ownUtxos)), reason)
  })
})
