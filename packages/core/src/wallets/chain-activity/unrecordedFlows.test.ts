import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { aMovement } from "../../accounting/history/Transaction.fixture.ts"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from "../../foundation/primitives/index.ts"
import { type Flow, flowsOf } from "../../operations/executions/index.ts"
import type { RecordedFlow } from "./ActivityStore.ts"
import { unrecordedFlows } from "./unrecordedFlows.ts"

const [wallet, pool, solver, payer, usdc, weth] = Array.from({ length: 6 }, anAddress) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address
]

const flowOf = (token: Address, counterparty: Address, net: bigint): Flow => ({
  account: wallet,
  token,
  counterparty,
  net
})

const recordedFlowOf = (
  token: Address,
  counterparty: string | null,
  net: bigint,
  role: RecordedFlow["role"] = "PRINCIPAL"
) =>
  aMovement({
    account: wallet,
    asset: { chainId: 137, token },
    direction: net < 0n ? "OUT" : "IN",
    amount: net < 0n ? -net : net,
    counterparty,
    role
  })

const flowTexts = (flows: ReadonlyArray<Flow>) =>
  flows.map(({ counterparty, net, token }) => [token, counterparty, net])

describe("unrecorded", () => {
  it("returns all flows if none is recorded, and no flows if all are recorded", () => {
    const flows = [flowOf(usdc, pool, -97n), flowOf(weth, pool, 5n)]
    assert.deepStrictEqual(unrecordedFlows(flows, []), flows)
    const recordedMovements = [recordedFlowOf(usdc, pool, -97n), recordedFlowOf(weth, pool, 5n)]
    assert.deepStrictEqual(unrecordedFlows(flows, recordedMovements), [])
  })

  it("returns the remaining amount if another part of the same transaction is recorded", () => {
    const flows = [flowOf(usdc, pool, -97n), flowOf(usdc, payer, 30n)]
    assert.deepStrictEqual(flowTexts(unrecordedFlows(flows, [recordedFlowOf(usdc, pool, -97n)])), [[usdc, payer, 30n]])
    const combinedFlows = [flowOf(usdc, payer, 130n)]
    assert.deepStrictEqual(flowTexts(unrecordedFlows(combinedFlows, [recordedFlowOf(usdc, payer, 100n)])), [
      [usdc, payer, 30n]
    ])
  })

  it("also subtracts records with a different counterparty or without one", () => {
    assert.deepStrictEqual(unrecordedFlows([flowOf(weth, solver, 5n)], [recordedFlowOf(weth, null, 5n)]), [])
    assert.deepStrictEqual(
      flowTexts(unrecordedFlows([flowOf(weth, solver, 5n)], [recordedFlowOf(weth, "a bridge", 3n)])),
      [[weth, solver, 2n]]
    )
  })

  it("returns no flows if a recorded net payment to a paymaster covers a payment and its refund from another address", () => {
    const flows = [flowOf(usdc, payer, -10n), flowOf(usdc, solver, 4n)]
    assert.deepStrictEqual(unrecordedFlows(flows, [recordedFlowOf(usdc, payer, -6n, "GAS")]), [])
  })

  it("does not subtract gas from transferred native tokens", () => {
    const flows = [flowOf(NATIVE_TOKEN, pool, -50n)]
    assert.deepStrictEqual(unrecordedFlows(flows, [recordedFlowOf(NATIVE_TOKEN, null, -7n, "GAS")]), flows)
  })

  it("returns no flows if the native token was wrapped for a recorded pool, and the rest stayed in the wallet", () => {
    const flows = [flowOf(NATIVE_TOKEN, weth, -5n), flowOf(weth, ZERO_ADDRESS, 5n), flowOf(weth, pool, -4n)]
    const recordedFlows = [
      recordedFlowOf(NATIVE_TOKEN, pool, -4n),
      recordedFlowOf(NATIVE_TOKEN, weth, -1n),
      recordedFlowOf(weth, ZERO_ADDRESS, 1n)
    ]
    for (const order of [recordedFlows, recordedFlows.toReversed()])
      assert.deepStrictEqual(unrecordedFlows(flows, order), [])
  })

  it("returns no flows for a token without a detected transfer", () => {
    assert.deepStrictEqual(unrecordedFlows([], [recordedFlowOf(NATIVE_TOKEN, pool, -7n)]), [])
  })

  const parties = [pool, solver, payer] as const
  const GeneratedTransfers = Schema.Array(
    Schema.Struct({
      token: Schema.Literals([usdc, weth]),
      with: Schema.Literals(parties),
      amount: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: -1_000n, maximum: 1_000n })),
      isRecorded: Schema.Boolean
    })
  ).check(Schema.isMaxLength(8))

  it.prop(
    "sums with the recorded amounts to the transferred amount, for every transferred token",
    { moves: GeneratedTransfers },
    ({ moves: generatedTransfers }) => {
      const transfers = generatedTransfers.map(({ amount, token, with: other }) =>
        amount < 0n ? { token, from: wallet, to: other, amount: -amount } : { token, from: other, to: wallet, amount }
      )
      const flows = flowsOf(transfers, [wallet])
      const recordedMovements = generatedTransfers
        .filter(({ amount, isRecorded }) => isRecorded && amount !== 0n)
        .map(({ amount, token, with: other }) => recordedFlowOf(token, other, amount))
      const sumOf = (of: ReadonlyArray<{ readonly token: Address; readonly net: bigint }>, token: Address) =>
        of.reduce((total, each) => (each.token === token ? total + each.net : total), 0n)
      return [usdc, weth].every((token) => {
        if (!flows.some((each) => each.token === token)) return true
        const recordedSum = sumOf(
          generatedTransfers
            .filter(({ isRecorded }) => isRecorded)
            .map(({ amount, token }) => ({ token, net: amount })),
          token
        )
        return sumOf(unrecordedFlows(flows, recordedMovements), token) + recordedSum === sumOf(flows, token)
      })
    },
    { arbitrary: { runs: 300 } }
  )
})
