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

const flow = (token: Address, counterparty: Address, net: bigint): Flow => ({
  account: wallet,
  token,
  counterparty,
  net
})

const recordedFlow = (
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
    const flows = [flow(usdc, pool, -97n), flow(weth, pool, 5n)]
    assert.deepStrictEqual(unrecordedFlows(flows, []), flows)
    const bothFlows = [recordedFlow(usdc, pool, -97n), recordedFlow(weth, pool, 5n)]
    assert.deepStrictEqual(unrecordedFlows(flows, bothFlows), [])
  })

  it("returns the remaining amount if another part of the same transaction is recorded", () => {
    const flows = [flow(usdc, pool, -97n), flow(usdc, payer, 30n)]
    assert.deepStrictEqual(flowTexts(unrecordedFlows(flows, [recordedFlow(usdc, pool, -97n)])), [[usdc, payer, 30n]])
    const combinedFlows = [flow(usdc, payer, 130n)]
    assert.deepStrictEqual(flowTexts(unrecordedFlows(combinedFlows, [recordedFlow(usdc, payer, 100n)])), [
      [usdc, payer, 30n]
    ])
  })

  it("also subtracts records with a different counterparty or without one", () => {
    assert.deepStrictEqual(unrecordedFlows([flow(weth, solver, 5n)], [recordedFlow(weth, null, 5n)]), [])
    assert.deepStrictEqual(flowTexts(unrecordedFlows([flow(weth, solver, 5n)], [recordedFlow(weth, "a bridge", 3n)])), [
      [weth, solver, 2n]
    ])
  })

  it("returns no flows if a recorded net payment to a paymaster covers a payment and its refund from another address", () => {
    const flows = [flow(usdc, payer, -10n), flow(usdc, solver, 4n)]
    assert.deepStrictEqual(unrecordedFlows(flows, [recordedFlow(usdc, payer, -6n, "GAS")]), [])
  })

  it("does not subtract gas from transferred native tokens", () => {
    const flows = [flow(NATIVE_TOKEN, pool, -50n)]
    assert.deepStrictEqual(unrecordedFlows(flows, [recordedFlow(NATIVE_TOKEN, null, -7n, "GAS")]), flows)
  })

  it("returns no flows if the native token was wrapped for a recorded pool, and the rest stayed in the wallet", () => {
    const flows = [flow(NATIVE_TOKEN, weth, -5n), flow(weth, ZERO_ADDRESS, 5n), flow(weth, pool, -4n)]
    const parts = [
      recordedFlow(NATIVE_TOKEN, pool, -4n),
      recordedFlow(NATIVE_TOKEN, weth, -1n),
      recordedFlow(weth, ZERO_ADDRESS, 1n)
    ]
    for (const order of [parts, parts.toReversed()]) assert.deepStrictEqual(unrecordedFlows(flows, order), [])
  })

  it("returns no flows for a token without a detected transfer", () => {
    assert.deepStrictEqual(unrecordedFlows([], [recordedFlow(NATIVE_TOKEN, pool, -7n)]), [])
  })

  const parties = [pool, solver, payer] as const
  const Moves = Schema.Array(
    Schema.Struct({
      token: Schema.Literals([usdc, weth]),
      with: Schema.Literals(parties),
      amount: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: -1_000n, maximum: 1_000n })),
      isRecorded: Schema.Boolean
    })
  ).check(Schema.isMaxLength(8))

  it.prop(
    "sums with the recorded amounts to the transferred amount, for every transferred token",
    { moves: Moves },
    ({ moves }) => {
      const transfers = moves.map(({ amount, token, with: other }) =>
        amount < 0n ? { token, from: wallet, to: other, amount: -amount } : { token, from: other, to: wallet, amount }
      )
      const flows = flowsOf(transfers, [wallet])
      const recordedMoves = moves
        .filter(({ amount, isRecorded }) => isRecorded && amount !== 0n)
        .map(({ amount, token, with: other }) => recordedFlow(token, other, amount))
      const sum = (of: ReadonlyArray<{ readonly token: Address; readonly net: bigint }>, token: Address) =>
        of.reduce((total, each) => (each.token === token ? total + each.net : total), 0n)
      return [usdc, weth].every((token) => {
        if (!flows.some((each) => each.token === token)) return true
        const sumBefore = sum(
          moves.filter(({ isRecorded }) => isRecorded).map(({ amount, token }) => ({ token, net: amount })),
          token
        )
        return sum(unrecordedFlows(flows, recordedMoves), token) + sumBefore === sum(flows, token)
      })
    },
    { arbitrary: { runs: 300 } }
  )
})
