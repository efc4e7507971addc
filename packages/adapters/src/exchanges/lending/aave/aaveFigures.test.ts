import { Address } from "@countersign/core/foundation/primitives"
import { assert, describe, it } from "@effect/vitest"
import { maxUint256 } from "viem"
import { type Collateral, liquidationPrice } from "./aaveFigures.ts"

const aToken = (digit: number) => Address.make(`0x${String(digit).repeat(40)}`)

/** Collateral of this value at $2 for each token, with a threshold of 80 %. */
const collateral = (digit: number, usd: bigint): Collateral => ({
  asset: aToken(digit),
  priceUsd8: 2n * 10n ** 8n,
  valueUsd8: usd * 10n ** 8n,
  liquidationThreshold: 8_000n
})

const priceOf = (
  collaterals: ReadonlyArray<Collateral>,
  debtUsd: bigint,
  preferred: number | null,
  isInEMode = false
) => {
  const secured = collaterals.reduce((sum, one) => sum + one.valueUsd8 * one.liquidationThreshold, 0n)
  const debtUsd8 = debtUsd * 10n ** 8n
  const healthFactor = debtUsd === 0n ? maxUint256 : (secured * 10n ** 14n) / debtUsd8
  const price = liquidationPrice(
    collaterals,
    { debtUsd8, healthFactor },
    preferred === null ? null : aToken(preferred),
    isInEMode
  )
  return price === null ? null : [price.token, Number(price.priceE18) / 1e18]
}

describe("the price at which a position of Aave can be liquidated", () => {
  const [large, small] = [collateral(1, 1_000n), collateral(2, 500n)]

  it("is that of the only collateral, also in an e-mode", () => {
    assert.deepStrictEqual(priceOf([large], 400n, null), [large.asset, 1])
    assert.deepStrictEqual(priceOf([large], 400n, null, true), [large.asset, 1])
    assert.isNull(priceOf([large], 0n, null))
  })

  it("is that of the collateral of the operation, if its price decides", () => {
    // The other collaterals cover $800 of the debt of $900, so $100 remain for this collateral of $400.
    assert.deepStrictEqual(priceOf([large, small], 900n, 2), [small.asset, 0.5])
    assert.deepStrictEqual(priceOf([large, small], 900n, null), [large.asset, 1.25])
  })

  it("is that of another collateral if the price of the operation's collateral does not decide: the others cover the debt", () => {
    assert.deepStrictEqual(priceOf([large, small], 600n, 2), [large.asset, 0.5])
  })

  it("is missing if no single collateral decides, and in an e-mode with several", () => {
    assert.isNull(priceOf([large, small], 300n, 2))
    assert.isNull(priceOf([large, small], 900n, 1, true))
  })
})
