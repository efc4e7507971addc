import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import { balancesOf, daysLeft } from "./balances.ts"
import type { FundedAccount } from "./GasFunds.ts"

describe("The remaining days of a balance", () => {
  it.each([
    [700n, 0n, null],
    [700n, 100n, 49],
    [699n, 100n, 48],
    [0n, 100n, 0],
    [10n ** 24n, 1n, 7e24]
  ] as const)("of %s with %s spent in a week are %s", (wei, spentWei, days) => {
    assert.strictEqual(daysLeft(wei, spentWei), days)
  })
})

describe("The balances", () => {
  const now = DateTime.makeUnsafe("2026-01-31T23:59:59Z")
  const operator: FundedAccount = {
    kind: "OPERATOR",
    chainId: 1,
    address: anAddress(),
    entryPointVersion: "0.7",
    funds: { wei: 10n ** 18n, maxFeePerGas: 10n ** 9n }
  }
  const paymaster: FundedAccount = { ...operator, kind: "PAYMASTER", address: anAddress() }

  it("include a paymaster's costs and an operator's reverted bundles on the account's chain", () => {
    const firstDay = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
    const costs = [
      { chainId: 1, payer: paymaster.address, wei: 7n * 10n ** 17n, firstDay },
      { chainId: 1, payer: anAddress(), wei: 10n ** 18n, firstDay },
      { chainId: 10, payer: paymaster.address, wei: 10n ** 18n, firstDay }
    ] as const
    const revertedCosts = [{ chainId: 1, wei: 10n ** 17n }] as const
    const allBalances = balancesOf([operator, paymaster, { ...paymaster, chainId: 137 }], costs, revertedCosts, now)
    assert.deepStrictEqual(
      allBalances.map(({ daysLeft, spentWei }) => [spentWei, daysLeft]),
      [
        [10n ** 17n, 70],
        [7n * 10n ** 17n, 10],
        [0n, null]
      ]
    )
    assert.strictEqual(allBalances[0]!.operationsLeft, 1_000n)
  })

  it.each([
    ["2026-01-31T00:00:00Z", 1],
    ["2026-01-30T00:00:00Z", 2],
    ["2026-01-25T00:00:00Z", 7],
    ["2026-01-02T00:00:00Z", 7]
  ])("of a paymaster with its first operation on %s last at the spending of %i days", (firstDay, days) => {
    const cost = {
      chainId: 1,
      payer: paymaster.address,
      wei: 10n ** 17n,
      firstDay: DateTime.makeUnsafe(firstDay)
    } as const
    assert.strictEqual(balancesOf([paymaster], [cost], [], now)[0]!.daysLeft, 10 * days)
  })

  it("are unknown if no node responds", () => {
    const [unknownBalance] = balancesOf([{ ...paymaster, funds: null }], [], [], now)
    assert.deepInclude(unknownBalance, { daysLeft: null, operationsLeft: null, spentWei: 0n })
  })
})
