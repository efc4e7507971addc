import { NATIVE_TOKEN } from "../../foundation/primitives/index.ts"
import type { Token } from "../../foundation/tokens/index.ts"

/** The native token of Bitcoin, which has no other tokens. */
export const bitcoinToken: Token = {
  chainId: 0,
  address: NATIVE_TOKEN,
  name: "Bitcoin",
  symbol: "BTC",
  decimals: 8,
  realWorldAsset: false
}
