import { assert, describe, it } from "@effect/vitest"
import { anAddress } from "../../../foundation/primitives/ids.fixture.ts"
import { MAX_UINT256 } from "../../../foundation/primitives/index.ts"
import type { AllowanceChange } from "../../user-operations/index.ts"
import { remainingAllowances } from "./RemainingAllowance.ts"

const [token, router, paymaster] = [anAddress(), anAddress(), anAddress()]

const approvalOf = (spender: typeof router, amount: bigint): AllowanceChange => ({
  type: "GIVEN",
  token,
  spender,
  amount
})
const usageOf = (spender: typeof router, amount: bigint): AllowanceChange => ({
  type: "USED",
  token,
  spender,
  amount
})

const remainingAmountsOf = (...changes: ReadonlyArray<AllowanceChange>) =>
  remainingAllowances(1, changes).map(({ amount, spender }) => [spender, amount])

describe("remainingAllowances", () => {
  it("is the approved amount minus the used amount, for each spender", () => {
    assert.deepStrictEqual(
      remainingAmountsOf(
        approvalOf(paymaster, 0n),
        approvalOf(paymaster, 90n),
        approvalOf(router, 50n),
        usageOf(router, 50n),
        usageOf(paymaster, 7n)
      ),
      [[paymaster, 83n]]
    )
  })

  it("is the last approved amount", () => {
    assert.deepStrictEqual(remainingAmountsOf(approvalOf(router, 5n), usageOf(router, 1n), approvalOf(router, 9n)), [
      [router, 9n]
    ])
    assert.deepStrictEqual(remainingAmountsOf(approvalOf(router, 5n), approvalOf(router, 0n)), [])
  })

  it("stays unlimited after an unlimited approval, and is absent if nothing was approved", () => {
    assert.deepStrictEqual(remainingAmountsOf(approvalOf(router, MAX_UINT256), usageOf(router, 9n)), [
      [router, MAX_UINT256]
    ])
    assert.deepStrictEqual(remainingAmountsOf(usageOf(router, 9n)), [])
  })

  it("is zero if a token allows a spender to use more than was approved", () => {
    assert.deepStrictEqual(remainingAmountsOf(approvalOf(router, 5n), usageOf(router, 9n)), [])
  })
})
