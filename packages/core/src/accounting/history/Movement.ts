import { Schema } from "effect"
import { decimalFromBaseUnits, WalletAddress } from "../../foundation/primitives/index.ts"
import {
  Asset,
  isSameAsset,
  type Token,
  type UsdPriceE18,
  usdValueRoundingDown
} from "../../foundation/tokens/index.ts"

/** A change of an account's balance, as reported by the chain or by a provider. */
export const Movement = Schema.Struct({
  direction: Schema.Literals(["IN", "OUT"]),
  /**
   * PRINCIPAL: the asset that the transaction moves. FEE: paid to the project, the operator or the receiver of an extra
   * fee. GAS: paid to the network.
   */
  role: Schema.Literals(["PRINCIPAL", "FEE", "GAS"]),
  /** The account whose balance changed: the wallet, or the receiver that the wallet owner chose. */
  account: WalletAddress,
  asset: Asset,
  /** In base units of the token, or in the smallest units of the currency. */
  amount: Schema.BigInt,
  /** Value in US dollars at the time of the movement, as a decimal string. Null if no price was available. */
  usd: Schema.NullOr(Schema.String),
  /**
   * The source of the value: a source of `TokenPrices`, a market data provider, or QUOTE for the quote's price. Absent
   * if there is no value, and in records of earlier versions.
   */
  usdSource: Schema.optionalKey(Schema.String),
  /**
   * The other account of the movement. Null if there is none, as for gas in the native token, or if it can't be
   * determined.
   */
  counterparty: Schema.NullOr(Schema.String),
  /** The index of the leg that caused the movement. Null for an off-chain movement. */
  leg: Schema.NullOr(Schema.Int)
})
export type Movement = typeof Movement.Type

/** The value of a movement, and the source of the value. */
export type MovementValue = Pick<Movement, "usd" | "usdSource">

/** Returns the value of an amount at a price. Null if there is no price. */
export const movementValue = (
  amount: bigint,
  token: Token,
  price: { readonly usd: UsdPriceE18; readonly source: string } | undefined
): MovementValue =>
  price === undefined ? { usd: null } : { usd: usdValueRoundingDown(amount, token, price.usd), usdSource: price.source }

/**
 * The movements of one asset in one direction, without gas, as one sum. They belong to the account and asset of the
 * first movement. The counterparty is that of the largest movement.
 */
export interface MovementTotal {
  readonly asset: Asset
  readonly amount: bigint
  readonly usd: string | null
  readonly account: WalletAddress
  readonly counterparty: string | null
}

/** Number of decimals in stored US dollar values. */
const USD_DECIMALS = 6

/** Converts a stored value to millionths of a US dollar. */
export const usdE6Of = (usd: string): bigint => {
  const [whole = "0", fraction = ""] = usd.split(".")
  return BigInt(whole + fraction.padEnd(USD_DECIMALS, "0").slice(0, USD_DECIMALS))
}

const sumUsd = (movements: ReadonlyArray<Movement>): string | null =>
  movements.some(({ usd }) => usd === null)
    ? null
    : decimalFromBaseUnits(
        movements.reduce((sum, { usd }) => sum + usdE6Of(usd ?? "0"), 0n),
        USD_DECIMALS
      )

/** Returns the movements in one direction as one sum. Null if nothing moved in that direction. */
export const movementTotalOf = (
  movements: ReadonlyArray<Movement>,
  direction: Movement["direction"]
): MovementTotal | null => {
  const directionMovements = movements.filter((movement) => movement.direction === direction && movement.role !== "GAS")
  const first = directionMovements.find(({ role }) => role === "PRINCIPAL") ?? directionMovements[0]
  if (first === undefined) return null
  const sameAsset = directionMovements.filter(
    ({ account, asset }) => account === first.account && isSameAsset(asset, first.asset)
  )
  // A fee-on-transfer token may log its fee before the main transfer.
  const largest = sameAsset.reduce(
    (largest, each) => (each.role === first.role && each.amount > largest.amount ? each : largest),
    first
  )
  return {
    asset: first.asset,
    amount: sameAsset.reduce((sum, { amount }) => sum + amount, 0n),
    usd: sumUsd(sameAsset),
    account: first.account,
    counterparty: largest.counterparty
  }
}
