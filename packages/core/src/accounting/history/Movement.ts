import { Schema } from "effect"
import { decimalFromBaseUnits, WalletAddress } from "../../foundation/primitives/index.ts"
import {
  Asset,
  isSameAsset,
  type Token,
  type UsdPriceE18,
  usdValueRoundingDown
} from "../../foundation/tokens/index.ts"

/** A change of what an account holds: what the chain, or a provider's proof, says happened. */
export const Movement = Schema.Struct({
  direction: Schema.Literals(["IN", "OUT"]),
  /** PRINCIPAL: what the transaction is about. FEE: of the project, the operator or an extra fee's receiver. GAS: the network's. */
  role: Schema.Literals(["PRINCIPAL", "FEE", "GAS"]),
  /** The account whose balance changed: the wallet, or the receiver that its owner named. */
  account: WalletAddress,
  asset: Asset,
  /** Base units of a token; the smallest units of a currency. */
  amount: Schema.BigInt,
  /** Value in US dollars when it happened, as a decimal string; null when no price was known. */
  usd: Schema.NullOr(Schema.String),
  /**
   * Where the value is from: a source of `TokenPrices`, QUOTE for the price that the operation was quoted with, or the name of a
   * source of the market's prices. Missing without a value, and in records of earlier versions.
   */
  usdSource: Schema.optionalKey(Schema.String),
  /** The other account of the movement; null where there is none, as for gas in the native token. */
  counterparty: Schema.NullOr(Schema.String),
  /** Position of the leg that it happened in; null where it was on no chain. */
  leg: Schema.NullOr(Schema.Int)
})
export type Movement = typeof Movement.Type

/** What a movement was worth, and by whose word. */
export type MovementValue = Pick<Movement, "usd" | "usdSource">

/** The value of an amount at a price; unknown without one. */
export const movementValue = (
  amount: bigint,
  token: Token,
  price: { readonly usd: UsdPriceE18; readonly source: string } | undefined
): MovementValue =>
  price === undefined ? { usd: null } : { usd: usdValueRoundingDown(amount, token, price.usd), usdSource: price.source }

/**
 * The movement in one direction, without gas: the first asset, summed over all of its movements of the same account, with the
 * other account of the largest.
 */
export interface Side {
  readonly asset: Asset
  readonly amount: bigint
  readonly usd: string | null
  readonly account: WalletAddress
  readonly counterparty: string | null
}

/** Digits after the point of stored dollar values. */
const USD_DECIMALS = 6

/** Millionths of a US dollar of a stored value. */
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

/** The main movement in one direction, as one sum; null where nothing moved in that direction. */
export const sideOf = (movements: ReadonlyArray<Movement>, direction: Movement["direction"]): Side | null => {
  const movementsThatWay = movements.filter((movement) => movement.direction === direction && movement.role !== "GAS")
  const first = movementsThatWay.find(({ role }) => role === "PRINCIPAL") ?? movementsThatWay[0]
  if (first === undefined) return null
  const sameAsset = movementsThatWay.filter(
    ({ account, asset }) => account === first.account && isSameAsset(asset, first.asset)
  )
  // A token that takes a fee on its transfers may log the fee before the rest.
  const largest = sameAsset.reduce(
    (most, each) => (each.role === first.role && each.amount > most.amount ? each : most),
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
