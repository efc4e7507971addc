import type { Hash32 } from "../../foundation/primitives/index.ts"
import type { BitcoinCoin, PreviousOutput } from "../chain/index.ts"

/** Confirmations that a miner's coin needs before it can be spent (consensus, `COINBASE_MATURITY`). */
const MATURITY = 100

type Outpoint = Pick<PreviousOutput, "txid" | "vout">

export const outpointText = ({ txid, vout }: Outpoint): string => `${txid}:${vout}`

/** What is known of a wallet's coins beside the chain. */
export interface CoinState {
  /** The height that several sources agree on. */
  readonly tipHeight: number
  /** Waiting transactions that spend coins of the wallet alone: their outputs to it are its change. Empty unless asked for. */
  readonly ownWaiting: ReadonlySet<Hash32>
  /** Coins, by `outpointText`, that quotes spend which can still be signed. */
  readonly quoted: ReadonlySet<string>
  /** Coins that accepted payments spend: another payment with them would take the first one's place. */
  readonly underWay: ReadonlySet<string>
}

/**
 * The coins that a payment may take, in groups: the next group only where those before do not suffice. First what is in
 * blocks, then own change that waits, then coins of quotes that may never be signed.
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
