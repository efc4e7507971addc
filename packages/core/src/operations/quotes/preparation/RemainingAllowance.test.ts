import { assert, describe, it } from "@effect/vitest"
import { anAddress } from "../../../foundation/primitives/ids.fixture.ts"
import { MAX_UINT256 } from "../../../foundation/primitives/index.ts"
import type { AllowanceChange } from "../../user-operations/index.ts"
import { remainingAllowances } from "./RemainingAllowance.ts"

const [token, router, paymaster] = [anAddress(), anAddress(), anAddress()]

const approval = (spender: typeof router, amount: bigint): AllowanceChange => ({
  type: "GIVEN",
  token,
  spender,
  amount
})
const usedAllowance = (spender: typeof router, amount: bigint): AllowanceChange => ({
  type: "USED",
  token,
  spender,
  amount
})

const remainingAmounts = (...changes: ReadonlyArray<AllowanceChange>) =>
  remainingAllowances(1, changes).map(({ amount, spender }) => [spender, amount])

describe("remainingAllowances", () => {
  it("is the approved amount minus the used amount, for each spender", () => {
    assert.deepStrictEqual(
      remainingAmounts(
        approval(paymaster, 0n),
        approval(paymaster, 90n),
        approval(router, 50n),
        usedAllowance(router, 50n),
        usedAllowance(paymaster, 7n)
      ),
      [[paymaster, 83n]]
    )
  })

  it("is the last approved amount", () => {
    assert.deepStrictEqual(remainingAmounts(approval(router, 5n), usedAllowance(router, 1n), approval(router, 9n)), [
      [router, 9n]
    ])
    assert.deepStrictEqual(remainingAmounts(approval(router, 5n), approval(router, 0n)), [])
  })

  it("stays unlimited after an unlimited approval, and is absent if nothing was approved", () => {
    assert.deepStrictEqual(remainingAmounts(approval(router, MAX_UINT256), usedAllowance(router, 9n)), [
      [router, MAX_UINT256]
    ])
    assert.deepStrictEqual(remainingAmounts(usedAllowance(router, 9n)), [])
  })

  it("is zero if a token allows a spender to use more than was approved", () => {
    assert.deepStrictEqual(remainingAmounts(approval(router, 5n), usedAllowance(router, 9n)), [])
  })
})
