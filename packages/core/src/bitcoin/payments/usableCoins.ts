import type { Hash32 } from "../../foundation/primitives/index.ts"
import type { BitcoinCoin, PreviousOutput } from "../chain/index.ts"

/** Confirmations that a miner's coin needs before it can be spent (consensus, `COINBASE_MATURITY`). */
const MATURITY = 100

type Outpoint = Pick<PreviousOutput, "txid" | "vout">

export const outpointText = ({ txid, vout }: Outpoint): string => `${txid}:${vout}`

/** Off-chain data about a wallet's coins. */
export interface CoinState {
  /** The height on which several sources agree. */
  readonly tipHeight: number
  /**
   * Unconfirmed transactions that only spend the wallet's coins: their outputs to it are its change. Empty unless
   * requested.
   */
  readonly ownWaiting: ReadonlySet<Hash32>
  /** Coins, by `outpointText`, of quotes that can still be signed. */
  readonly quoted: ReadonlySet<string>
  /** Coins of accepted payments: another payment with them would replace the first one. */
  readonly underWay: ReadonlySet<string>
}

/**
 * The usable coins of a payment, in groups by preference: first confirmed coins, then the wallet's unconfirmed change,
 * then coins of quotes that may never be signed.
 */
export const usableCoins = <C extends BitcoinCoin>(
  coins: ReadonlyArray<C>,
  { ownWaiting, quoted, tipHeight, underWay }: CoinState
): ReadonlyArray<ReadonlyArray<C>> => {
  const isMature = ({ block, isCoinbase }: C) =>
    !isCoinbase || (block !== null && tipHeight + 1 - block.height >= MATURITY)
  const usable = coins.filter(
    (coin) => !underWay.has(outpointText(coin)) && isMature(coin) && (coin.block !== null || ownWaiting.has(coin.txid))
  )
  const free = usable.filter((coin) => !quoted.has(outpointText(coin)))
  const groups = [
    free.filter(({ block }) => block !== null),
    free.filter(({ block }) => block === null),
    usable.filter((coin) => quoted.has(outpointText(coin)))
  ]
  return groups.filter((group) => group.length > 0)
}
