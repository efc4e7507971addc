import type { Client, Signable, SignedQuote, SwapQuote, TransferQuote } from "../../src/client/index.ts"
import { signInSandbox } from "../session.ts"
import { isSameAddress, shortAddress } from "../words.ts"
import { browserWallet, signerOf } from "./browserWallet.ts"

type Sign = (client: Client, quote: Signable<SwapQuote | TransferQuote>) => Promise<SignedQuote>

/** Signs with the owner's browser wallet. */
export const signInBrowser: Sign = async (client, quote) => {
  const provider = browserWallet()
  if (provider === undefined)
    throw new TypeError("This browser has no wallet extension. Install one, or sign with the API.")
  const signer = await signerOf(provider)
  const { externallyOwnedAccount: owner } = await client.wallets.get(quote.walletAddress)
  if (!isSameAddress(owner, signer.address))
    throw new TypeError(
      `The browser wallet uses the account ${shortAddress(signer.address)}, but the owner is ${owner}. Choose that account in the wallet.`
    )
  return quote.sign(signer)
}

export const signAsDemoOwner: Sign = (_, { quoteId }) => signInSandbox(quoteId)
