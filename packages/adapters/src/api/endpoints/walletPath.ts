import { described } from "@countersign/core/foundation/primitives"
import { WalletAddressText } from "../wire/index.ts"

export const walletPath = { walletAddress: WalletAddressText.pipe(described("Address of the wallet")) }
