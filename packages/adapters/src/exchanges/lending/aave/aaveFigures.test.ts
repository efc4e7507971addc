import { Address } from "@countersign/core/foundation/primitives"
import { assert, describe, it } from "@effect/vitest"
import { maxUint256 } from "viem"
import { type Collateral, liquidationPrice } from "./aaveFigures.ts"

const aToken = (digit: number) => Address.make(`0x${String(digit).repeat(40)}`)

/** Builds a collateral with this value, at $2 per token and with a liquidation threshold of 80 %. */
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

describe("the liquidation price of an Aave position", () => {
  const [large, small] = [collateral(1, 1_000n), collateral(2, 500n)]

  it("is a price of the only collateral, also in an eMode", () => {
    assert.deepStrictEqual(priceOf([large], 400n, null), [large.asset, 1])
    assert.deepStrictEqual(priceOf([large], 400n, null, true), [large.asset, 1])
    assert.isNull(priceOf([large], 0n, null))
  })

  it("is a price of the operation's collateral, if the debt depends on this collateral", () => {
    // The other collaterals cover $800 of the debt of $900, so $100 remain for this collateral of $400.
    assert.deepStrictEqual(priceOf([large, small], 900n, 2), [small.asset, 0.5])
    assert.deepStrictEqual(priceOf([large, small], 900n, null), [large.asset, 1.25])
  })

  it("is a price of another collateral, if the others cover the debt without the operation's collateral", () => {
    assert.deepStrictEqual(priceOf([large, small], 600n, 2), [large.asset, 0.5])
  })

  it("is null if the debt depends on no single collateral, and in an eMode with several", () => {
    assert.isNull(priceOf([large, small], 300n, 2))
    assert.isNull(priceOf([large, small], 900n, 1, true))
  })
})
