import type { Wallet } from "../../wallets/registry/index.ts"

/**
 * Matches P2SH and P2TR addresses. Signers recognize their inputs by the key in the redeem script or the internal key.
 */
const NEEDS_KEY = /^(?:3|bc1p)/u

const UNKNOWN_KEY =
  "The public key of this wallet is unknown, so many signers do not recognize the inputs of this PSBT. Register the address again with a proof and `publicKey`, and request a new quote."

/** Returns warnings about the PSBTs of a wallet. */
export const keyWarnings = (wallet: Wallet): ReadonlyArray<string> =>
  wallet.type === "BITCOIN" && wallet.key === null && NEEDS_KEY.test(wallet.address) ? [UNKNOWN_KEY] : []
