import { assert, describe, it } from "@effect/vitest"
import { HexBytes } from "../../foundation/primitives/index.ts"
import { transactionWeight, virtualBytes } from "../chain/index.ts"
import { planReplacement, type ReplacementOrder } from "./planReplacement.ts"

const scriptOf = (byte: string) => HexBytes.make(`0x0014${byte.repeat(20)}`)
const RECEIVED = { script: scriptOf("bb"), value: 50_000n }

/** One UTXO of 60,000 satoshis pays 50,000 to a receiver. The remaining 10,000 are the fee. */
const weight = transactionWeight("P2WPKH", 1, [{ bytes: 22 }])
const orderWith = (fields: Partial<ReplacementOrder<{ readonly value: bigint }>> = {}) => ({
  kind: "P2WPKH" as const,
  script: scriptOf("aa"),
  feeRate: 1_000n,
  incrementalFeeRate: 1_000n,
  utxos: [{ value: 60_000n }],
  fee: 10_000n,
  weight,
  outputs: [RECEIVED],
  ...fields
})

describe("A replacement", () => {
  it("has a higher fee and fee rate than the original, for any requested rate and any number of added UTXOs", () => {
    const moreUtxos = Array.from({ length: 40 }, () => ({ value: 1_000n }))
    for (const outputs of [[RECEIVED], [{ ...RECEIVED, value: 49_000n }], []]) {
      for (const feeRate of [100n, 1_000n, 80_000n, 300_000n]) {
        const plan = planReplacement(orderWith({ feeRate, outputs }), moreUtxos)
        if (plan === null) continue
        assert.isAbove(plan.utxos.length, 0)
        const [bytes, originalBytes] = [BigInt(virtualBytes(plan.weight)), BigInt(virtualBytes(weight - 8))]
        // BIP-125, rules 3 and 4, and Bitcoin Core's rule that the fee rate must increase.
        assert.isTrue(plan.fee >= 10_000n + bytes, `${feeRate}: fee ${plan.fee} for ${bytes} bytes`)
        assert.isTrue(
          plan.fee * originalBytes > 10_000n * bytes,
          `${feeRate}: ${plan.fee}/${bytes}, and 10000/${originalBytes} before`
        )
      }
    }
  })

  it("adds the UTXOs that its fee needs", () => {
    const plan = planReplacement(orderWith(), [{ value: 100_000n }])
    assert.strictEqual(plan?.utxos.length, 2)
    assert.isNull(planReplacement(orderWith(), [{ value: 1_000n }]))
  })
})
