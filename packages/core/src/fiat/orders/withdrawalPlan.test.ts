import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { anAddress, at } from "../../foundation/primitives/ids.fixture.ts"
import type { BoundWithdrawal } from "../provider/FiatProvider.ts"
import { aFiatOrder, aFiatQuote } from "./FiatOrder.fixture.ts"
import { transitionOrder, withRemainingAllowance } from "./orderMove.ts"
import { allowanceUses, planWithdrawal, withdrawalExpiry } from "./withdrawalPlan.ts"

const quote = aFiatQuote({ direction: "WITHDRAWAL", tokenAmount: 100_000_000n })
const recipient = anAddress()
const boundWithdrawalWith = (erc20Call: BoundWithdrawal["erc20Call"]): BoundWithdrawal => ({
  providerQuote: "qu_1",
  fiatAmount: 53_900n,
  erc20Call,
  recipient,
  tokenAmount: 100_000_000n,
  expiresAt: quote.expiresAt
})
const collectors = { treasury: null, operatorTreasury: null, operatorSharePercent: 0 }

const approvedAmountsIn = (erc20Call: BoundWithdrawal["erc20Call"], hasAllowance: boolean) =>
  Effect.map(planWithdrawal(quote, boundWithdrawalWith(erc20Call), hasAllowance, collectors)(), ({ calls }) =>
    calls.map(({ data, to }) => [to, BigInt(`0x${data.slice(-64)}`)])
  )

describe("withdrawalExpiry", () => {
  it("is a minute before the provider's offer ends, or the expiry of the operation if that is earlier", () => {
    const endsAt = (offerMs: number | null) =>
      withdrawalExpiry(at(120_000), { expiresAt: offerMs === null ? null : at(offerMs) })
    assert.deepStrictEqual([null, 300_000, 180_000, 90_000].map(endsAt), [
      at(120_000),
      at(120_000),
      at(120_000),
      at(30_000)
    ])
  })
})

describe("planWithdrawal", () => {
  it.effect("approves the exact amount, and resets an existing allowance first", () =>
    Effect.gen(function* () {
      const exactAmount = [quote.token.address, 100_000_000n]
      assert.deepStrictEqual(yield* approvedAmountsIn("APPROVE", false), [exactAmount])
      assert.deepStrictEqual(yield* approvedAmountsIn("APPROVE", true), [[quote.token.address, 0n], exactAmount])
      assert.deepStrictEqual(yield* approvedAmountsIn("TRANSFER", true), [exactAmount])
    })
  )

  it("reserves the allowance exclusively if there is one", () => {
    const [use] = allowanceUses(quote, boundWithdrawalWith("APPROVE"))
    assert.deepInclude(use, { isExclusive: true, until: "fiat-submission" })
    assert.deepStrictEqual(allowanceUses(quote, boundWithdrawalWith("TRANSFER")), [])
  })
})

describe("withAllowanceLeft", () => {
  const order = aFiatOrder(quote, { allowance: { spender: recipient, amount: 33_000_000n } })
  const orderIn = (state: "FAILED" | "COMPLETED") => transitionOrder(order, state, quote.createdAt, "It failed")

  it("reports the remaining allowance only for a failed withdrawal", () => {
    assert.match(
      withRemainingAllowance(orderIn("FAILED")).reason!,
      new RegExp(`^It failed\\. .* ${recipient} to take 33 `, "u")
    )
    for (const otherOrder of [order, orderIn("COMPLETED"), { ...orderIn("FAILED"), allowance: null }]) {
      assert.strictEqual(withRemainingAllowance(otherOrder), otherOrder)
    }
  })
})
