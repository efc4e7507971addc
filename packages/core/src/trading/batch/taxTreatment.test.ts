import { assert, describe, it } from "@effect/vitest"
import type { Movement } from "../../accounting/history/index.ts"
import { aMovement } from "../../accounting/history/Transaction.fixture.ts"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import type { Address } from "../../foundation/primitives/index.ts"
import { batchDetails, type QuotedSwap, type QuotedTransfer } from "./batchDetails.ts"
import { batchTreatment } from "./taxTreatment.ts"

const [usdc, weth, dai] = [anAddress(), anAddress(), anAddress()]
const [wallet, friend, pool, otherPool] = [anAddress(), anAddress(), anAddress(), anAddress()]

const quotedTransferOf = (token: Address, amount: bigint, toAddress = friend): QuotedTransfer => ({
  type: "transfer",
  token,
  amount,
  toAddress
})

const quotedSwapOf = (
  tokenIn: Address,
  amountIn: bigint,
  tokenOut: Address,
  amountOut: bigint,
  fields: Partial<QuotedSwap> = {}
): QuotedSwap => ({
  type: "swap",
  tokenIn,
  amountIn,
  tokenOut,
  amountOut,
  toAddress: wallet,
  payers: [pool],
  ...fields
})

const movementOf = (direction: Movement["direction"], token: Address, amount: bigint, counterparty: Address) =>
  aMovement({ direction, account: wallet, asset: { chainId: 1, token }, amount, counterparty })

const symbolByToken = new Map([
  [usdc, "USDC"],
  [weth, "WETH"],
  [dai, "DAI"]
])

const applyTreatment = (
  elements: ReadonlyArray<QuotedSwap | QuotedTransfer> | null,
  movements: ReadonlyArray<Movement>
) =>
  batchTreatment({
    transaction: { id: "one", type: "BATCH", details: elements === null ? {} : batchDetails.of(elements) },
    movements,
    isOwn: () => false
  }).map(({ legs }) =>
    legs.map(
      ({ amount, kind, movement: { asset } }) =>
        `${kind} ${amount} ${symbolByToken.get((asset as { token: Address }).token)}`
    )
  )

describe("A batch", () => {
  it("is treated as a gift and a swap if both share an asset", () => {
    const movements = [
      movementOf("OUT", usdc, 900n, friend),
      movementOf("OUT", usdc, 100n, pool),
      movementOf("IN", weth, 33n, pool),
      { ...movementOf("OUT", usdc, 1n, friend), role: "GAS" as const }
    ]
    assert.deepStrictEqual(
      applyTreatment([quotedTransferOf(usdc, 900n), quotedSwapOf(usdc, 100n, weth, 33n)], movements),
      [["EXTERNAL_TRANSFER 900 USDC"], ["DISPOSAL 100 USDC", "ACQUISITION 33 WETH", "FEE 1 USDC"]]
    )
  })

  it("assigns the output of several swaps by the contract that paid it, or in proportion to the quoted amounts", () => {
    const elements = [
      quotedSwapOf(usdc, 100n, weth, 30n),
      quotedSwapOf(dai, 50n, weth, 16n, { payers: [otherPool] }),
      quotedSwapOf(usdc, 200n, weth, 60n)
    ]
    const movements = [
      movementOf("OUT", usdc, 300n, pool),
      movementOf("IN", weth, 91n, pool),
      movementOf("OUT", dai, 50n, otherPool),
      movementOf("IN", weth, 17n, otherPool)
    ]
    assert.deepStrictEqual(applyTreatment(elements, movements), [
      ["DISPOSAL 100 USDC", "ACQUISITION 30 WETH"],
      ["DISPOSAL 50 DAI", "ACQUISITION 17 WETH"],
      ["DISPOSAL 200 USDC", "ACQUISITION 61 WETH"]
    ])
  })

  it("splits a movement that a transfer and a swap share, and supports swaps with another receiver", () => {
    const elements = [
      quotedTransferOf(usdc, 10n, pool),
      quotedSwapOf(usdc, 90n, weth, 30n, { toAddress: friend }),
      quotedSwapOf(weth, 5n, usdc, 14n, { payers: [otherPool] })
    ]
    const movements = [
      movementOf("OUT", usdc, 100n, pool),
      movementOf("OUT", weth, 5n, otherPool),
      movementOf("IN", usdc, 14n, otherPool)
    ]
    assert.deepStrictEqual(applyTreatment(elements, movements), [
      ["EXTERNAL_TRANSFER 10 USDC"],
      ["DISPOSAL 90 USDC"],
      ["DISPOSAL 5 WETH", "ACQUISITION 14 USDC"]
    ])
  })

  it("counts all movements as transfers if it has no stored details", () => {
    const movements = [movementOf("OUT", usdc, 100n, pool), movementOf("IN", weth, 33n, pool)]
    assert.deepStrictEqual(applyTreatment(null, movements), [
      ["EXTERNAL_TRANSFER 100 USDC"],
      ["EXTERNAL_TRANSFER 33 WETH"]
    ])
  })
})
