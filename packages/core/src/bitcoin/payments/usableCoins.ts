import type { Hash32 } from "../../foundation/primitives/index.ts"
import type { BitcoinCoin, PreviousOutput } from "../chain/index.ts"

/** Confirmations that a coinbase output needs before it can be spent (consensus, `COINBASE_MATURITY`). */
const MATURITY = 100

type Outpoint = Pick<PreviousOutput, "txid" | "vout">

export const outpointText = ({ txid, vout }: Outpoint): string => `${txid}:${vout}`

/** The service's data about a wallet's UTXOs. */
export interface CoinState {
  /** The block height that several sources agree on. */
  readonly tipHeight: number
  /**
   * Unconfirmed transactions that spend only UTXOs of the wallet, so their outputs to the wallet are its change. Empty
   * unless requested.
   */
  readonly ownWaiting: ReadonlySet<Hash32>
  /** UTXOs of quotes that can still be signed, by `outpointText`. */
  readonly quoted: ReadonlySet<string>
  /** UTXOs of accepted payments. Another payment that spends them would replace the first one. */
  readonly pendingSpends: ReadonlySet<string>
}

/**
 * The usable UTXOs of a payment, in groups by preference: confirmed UTXOs, then the wallet's unconfirmed change, then
 * UTXOs of quotes that may never be signed.
 */
export const usableCoins = <C extends BitcoinCoin>(
  coins: ReadonlyArray<C>,
  { ownWaiting, quoted, tipHeight, pendingSpends }: CoinState
): ReadonlyArray<ReadonlyArray<C>> => {
  const isMature = ({ block, isCoinbase }: C) =>
    !isCoinbase || (block !== null && tipHeight + 1 - block.height >= MATURITY)
  const matureCoins = coins.filter(
    (coin) =>
      !pendingSpends.has(outpointText(coin)) && isMature(coin) && (coin.block !== null || ownWaiting.has(coin.txid))
  )
  const free = matureCoins.filter((coin) => !quoted.has(outpointText(coin)))
  const groups = [
    free.filter(({ block }) => block !== null),
    free.filter(({ block }) => block === null),
    matureCoins.filter((coin) => quoted.has(outpointText(coin)))
  ]
  return groups.filter((group) => group.length > 0)
}
