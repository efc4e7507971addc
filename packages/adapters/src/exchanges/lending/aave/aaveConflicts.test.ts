import { Address } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { assert, describe, it } from "@effect/vitest"
import { aaveConflicts } from "./aaveConflicts.ts"
import type { AaveState, LegState } from "./aaveState.ts"
import { type ReserveConfiguration, reserveConfiguration, userReserves } from "./reserveConfiguration.ts"

const token: Token = {
  chainId: 1,
  address: Address.make(`0x${"11".repeat(20)}`),
  name: "T",
  symbol: "T",
  decimals: 6,
  realWorldAsset: false
}

/**
 * Configuration of Ethereum's WETH reserve at block 16,291,127 (aave-v3-core's first market): LTV 80.5 %, threshold
 * 82.5 %, bonus 5 %, 18 decimals, flags and caps.
 */
const word =
  8_050n |
  (8_250n << 16n) |
  (10_500n << 32n) |
  (18n << 48n) |
  (1n << 56n) |
  (1n << 58n) |
  (1_400_000n << 80n) |
  (1_800_000n << 116n)

const defaultConfiguration: ReserveConfiguration = reserveConfiguration(word)

const state = (configuration: Partial<ReserveConfiguration>, fields: Partial<LegState> = {}): LegState => ({
  reserve: { id: 3, asset: token.address, aToken: token.address, debtToken: token.address, decimals: 6 },
  data: {} as LegState["data"],
  configuration: { ...defaultConfiguration, supplyCap: 0n, borrowCap: 0n, ...configuration },
  supplied: 0n,
  debt: 0n,
  totalSupplied: 0n,
  totalDebt: 0n,
  available: 10n ** 12n,
  allowance: 0n,
  priceUsd8: 10n ** 8n,
  ...fields
})

const account = {
  collateralUsd8: 10n ** 12n,
  debtUsd8: 0n,
  availableUsd8: 10n ** 12n,
  liquidationThreshold: 8_250n,
  ltv: 8_050n,
  healthFactor: 0n
}

const all = (legs: AaveState["legs"], fields: Partial<AaveState> = {}): AaveState => ({
  timestamp: 0,
  legs,
  account,
  userWord: 0n,
  isInEMode: false,
  ...fields
})

const leg = (amount: bigint | "MAX") => ({ token, amount, marketId: null, side: null })

describe("reserveConfiguration", () => {
  it("reads each field from its bit position", () => {
    const { borrowCap, canBorrow, decimals, isActive, isFrozen, isPaused, liquidationThreshold, ltv, supplyCap } =
      defaultConfiguration
    assert.deepStrictEqual(
      [ltv, liquidationThreshold, decimals, isActive, isFrozen, canBorrow, isPaused, borrowCap, supplyCap],
      [8_050n, 8_250n, 18, true, false, true, false, 1_400_000n, 1_800_000n]
    )
  })

  it("reads a wallet's reserves from their bit positions", () => {
    assert.deepStrictEqual(userReserves((2n << 0n) | (1n << 4n) | (3n << 254n)), {
      collateralIds: [0, 127],
      borrowedIds: [2, 127]
    })
  })
})

describe("aaveObstacles", () => {
  const ofBorrow = (configuration: Partial<ReserveConfiguration>, fields: Partial<AaveState> = {}) =>
    aaveConflicts({ borrow: leg(5n) }, all({ borrow: state(configuration) }, fields)).join(" ")

  it("are empty for a loan that the collateral covers", () => {
    assert.strictEqual(ofBorrow({}), "")
  })

  it("include a siloed token if the wallet has another debt, but not if it has only a debt in this token", () => {
    assert.match(ofBorrow({ isSiloed: true }, { userWord: 1n << 8n }), /siloed/u)
    assert.strictEqual(ofBorrow({ isSiloed: true }, { userWord: 1n << 6n }), "")
  })

  it("include isolated collateral that is supplied with the loan, because it secures nothing until the owner enables it", () => {
    const legs = { supply: leg(5n), borrow: leg(5n) }
    const isolated = all(
      { supply: state({ debtCeiling: 100n }), borrow: state({}) },
      { account: { ...account, collateralUsd8: 0n } }
    )
    assert.match(aaveConflicts(legs, isolated).join(" "), /isolated in Aave/u)
  })

  it("include a withdrawal above the supplied amount, and a repayment if there is no debt", () => {
    const { withdraw, repay } = { withdraw: state({}, { supplied: 4n }), repay: state({}) }
    assert.match(aaveConflicts({ withdraw: leg(5n) }, all({ withdraw })).join(" "), /supplied 0\.000004 T to Aave/u)
    assert.deepStrictEqual(aaveConflicts({ withdraw: leg("MAX") }, all({ withdraw })), [])
    assert.match(aaveConflicts({ withdraw: leg("MAX") }, all({ withdraw: repay })).join(" "), /supplied no T/u)
    assert.match(aaveConflicts({ repay: leg("MAX") }, all({ repay })).join(" "), /owes Aave no T/u)
  })

  it("include a withdrawal that exceeds the market's available liquidity", () => {
    const withdraw = state({}, { supplied: 5n, available: 4n })
    assert.match(
      aaveConflicts({ withdraw: leg("MAX") }, all({ withdraw })).join(" "),
      /Insufficient liquidity: only 0\.000004 T/u
    )
    assert.deepStrictEqual(aaveConflicts({ withdraw: leg(4n) }, all({ withdraw })), [])
  })

  it("include a supplied token that the owner has disabled as collateral, because another supply does not enable it", () => {
    const legs = { supply: leg(5n), borrow: leg(1n) }
    const suppliedStates = { supply: state({}, { supplied: 5n }), borrow: state({}) }
    const none = { account: { ...account, collateralUsd8: 0n, availableUsd8: 0n } }
    assert.match(
      aaveConflicts(legs, all(suppliedStates, none)).join(" "),
      /^T of the wallet is disabled as collateral/u
    )
    const enabledCollateral = { ...none, userWord: 2n << 6n }
    assert.deepStrictEqual(aaveConflicts(legs, all(suppliedStates, enabledCollateral)), [])
  })

  describe("of a withdrawal", () => {
    // Supplied T worth $1,000,000 at a threshold of 82.5 %, and a debt of $412,500. So half of T must remain supplied.
    const stateWithDebt = (fields: Partial<AaveState> = {}) => ({
      account: {
        ...account,
        collateralUsd8: 10n ** 14n,
        debtUsd8: 41_250_000_000_000n,
        availableUsd8: 0n
      },
      userWord: 2n << 6n,
      ...fields
    })
    const withdraw = state({}, { supplied: 10n ** 12n })
    const repay = state({}, { debt: 412_500n * 10n ** 6n })
    const ofWithdrawal = (legs: Parameters<typeof aaveConflicts>[0], fields: Partial<AaveState> = stateWithDebt()) =>
      aaveConflicts(legs, all({ withdraw, ...(legs.repay === undefined ? {} : { repay }) }, fields)).join(" ")

    it("include the maximum withdrawal in US dollars if the debt does not allow the requested one", () => {
      assert.strictEqual(ofWithdrawal({ withdraw: leg(500_000n * 10n ** 6n) }), "")
      assert.strictEqual(
        ofWithdrawal({ withdraw: leg(500_000n * 10n ** 6n + 1n) }),
        "The remaining collateral in Aave would not secure the debt of $412500. About $500000 of T can be withdrawn. Withdraw less, or repay more."
      )
      assert.match(ofWithdrawal({ withdraw: leg("MAX") }), /About \$500000 of T/u)
    })

    it("allow a larger withdrawal after a repayment in the same operation", () => {
      const part = { repay: leg(206_250n * 10n ** 6n), withdraw: leg(750_000n * 10n ** 6n) }
      assert.strictEqual(ofWithdrawal(part), "")
      assert.match(ofWithdrawal({ ...part, withdraw: leg("MAX") }), /debt of \$206250\. About \$750000 of T/u)
      assert.strictEqual(ofWithdrawal({ repay: leg("MAX"), withdraw: leg("MAX") }), "")
    })

    it("are empty for a token that is not collateral, and in an eMode", () => {
      assert.strictEqual(ofWithdrawal({ withdraw: leg("MAX") }, stateWithDebt({ userWord: 0n })), "")
      assert.strictEqual(ofWithdrawal({ withdraw: leg("MAX") }, stateWithDebt({ isInEMode: true })), "")
    })
  })
})
