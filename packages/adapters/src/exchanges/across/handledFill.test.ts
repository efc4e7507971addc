import { Address } from "@countersign/core/foundation/primitives"
import { assert, describe, it } from "@effect/vitest"
import { encodeAbiParameters, type Hex, pad } from "viem"
import { TRANSFER } from "../../chains/evm/index.ts"
import { arrivedByFill, type ReceiptLog } from "./handledFill.ts"

const [HANDLER, POOL, RELAYER, RECEIVER, TOKEN_OUT, BRIDGED] = ["a1", "b2", "c3", "d4", "e5", "f6"].map((pair) =>
  Address.make(`0x${pair.repeat(20)}`)
) as [Address, Address, Address, Address, Address, Address]

const transfer = (token: Address, from: Address, amount: bigint, to: Address = RECEIVER): ReceiptLog => ({
  position: 0,
  address: token,
  topics: [TRANSFER, pad(from as Hex), pad(to as Hex)],
  data: encodeAbiParameters([{ type: "uint256" }], [amount]),
  blockNumber: "0x1",
  blockHash: pad("0x1"),
  transactionHash: pad("0x2"),
  logIndex: "0x0",
  blockTimestamp: "0x1"
})

const fill = { receiver: RECEIVER, tokenOut: TOKEN_OUT, minAmountOut: 1_000n, bridged: BRIDGED }
const arrivedTokenOf = (...logs: ReadonlyArray<ReceiptLog>) => {
  const arrival = arrivedByFill(logs, fill)
  return arrival === null ? null : [arrival.token, arrival.amount, arrival.from]
}

describe("the token of a fill with a swap", () => {
  it("is the output token if the swap paid its minimum, and the bridged token if the swap failed", () => {
    assert.deepStrictEqual(arrivedTokenOf(transfer(TOKEN_OUT, POOL, 1_000n)), [TOKEN_OUT, 1_000n, POOL])
    assert.deepStrictEqual(arrivedTokenOf(transfer(BRIDGED, HANDLER, 990n)), [BRIDGED, 990n, HANDLER])
    assert.isNull(arrivedTokenOf(transfer(TOKEN_OUT, POOL, 1_000n, RELAYER)))
  })

  it("is not changed by a few units that another party sends in the same transaction", () => {
    const [dust, bridgedDust] = [transfer(TOKEN_OUT, RELAYER, 1n), transfer(BRIDGED, RELAYER, 1n)]
    assert.deepStrictEqual(arrivedTokenOf(dust, transfer(BRIDGED, HANDLER, 990n)), [BRIDGED, 990n, HANDLER])
    assert.deepStrictEqual(arrivedTokenOf(transfer(TOKEN_OUT, RELAYER, 0n), transfer(BRIDGED, HANDLER, 990n)), [
      BRIDGED,
      990n,
      HANDLER
    ])
    assert.deepStrictEqual(arrivedTokenOf(bridgedDust, transfer(TOKEN_OUT, POOL, 1_200n)), [TOKEN_OUT, 1_200n, POOL])
  })

  it("is the output token even if its transfer fee leaves less than the minimum", () => {
    assert.deepStrictEqual(arrivedTokenOf(transfer(TOKEN_OUT, POOL, 999n)), [TOKEN_OUT, 999n, POOL])
  })
})
