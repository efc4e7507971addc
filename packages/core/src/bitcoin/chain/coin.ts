import { NATIVE_COIN } from "../../foundation/primitives/index.ts"
import type { Token } from "../../foundation/tokens/index.ts"

/** The native token of Bitcoin, which has no other tokens. */
export const bitcoinCoin: Token = {
  chainId: 0,
  address: NATIVE_COIN,
  name: "Bitcoin",
  symbol: "BTC",
  decimals: 8,
  realWorldAsset: false
}
