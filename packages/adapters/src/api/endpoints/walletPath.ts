import { withDescription } from "@countersign/core/foundation/primitives"
import { WalletAddressText } from "../wire/index.ts"

export const walletPath = { walletAddress: WalletAddressText.pipe(withDescription("Address of the wallet")) }
