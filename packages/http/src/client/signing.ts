import type { Hex } from "./openapi.ts"
import type { Quote, SignData } from "./resources.ts"

/** The request body of `execute`: a quote id, and one signature per element, keyed by the element's hash. */
export interface SignedQuote {
  readonly quoteId: string
  readonly signatures: Record<Hex, Hex>
}

type TypedData = Extract<SignData, { readonly method: "eth_signTypedData_v4" }>["typedData"]

/** A signer in this process, such as viem's `LocalAccount`. */
export interface LocalSigner {
  readonly address: string
  signMessage(options: { readonly message: { readonly raw: Hex } }): Promise<Hex>
  signTypedData(typedData: TypedData): Promise<Hex>
  /** Signs 32 raw bytes. Used only for EIP-7702 authorizations. */
  sign?(options: { readonly hash: Hex }): Promise<Hex>
  /**
   * Signs a base64 PSBT (BIP-174) of a Bitcoin wallet. Returns the signed PSBT, or the final transaction in
   * hexadecimal.
   */
  signPsbt?(options: { readonly psbt: string }): Promise<string>
}

/** A client that requests signatures from a wallet, such as viem's `WalletClient` with an account. */
export interface WalletSigner {
  readonly account: { readonly address: Hex; readonly type: string } | undefined
  signMessage(options: { readonly account: Hex; readonly message: { readonly raw: Hex } }): Promise<Hex>
  signTypedData(typedData: TypedData & { readonly account: Hex }): Promise<Hex>
}

export type Signer = LocalSigner | WalletSigner

const toLocalSigner = (signer: Signer): LocalSigner => {
  if ("address" in signer) return signer
  const { account } = signer
  if (account === undefined) throw new TypeError("The wallet client has no account. Create the client with an account.")
  if (account.type === "local") return account as LocalSigner & typeof account
  return {
    address: account.address,
    signMessage: ({ message }) => signer.signMessage({ account: account.address, message }),
    signTypedData: (typedData) => signer.signTypedData({ account: account.address, ...typedData })
  }
}

const signElement = (signer: LocalSigner, element: SignData): Promise<Hex> => {
  switch (element.method) {
    case "personal_sign":
      return signer.signMessage({ message: { raw: element.hash } })
    case "eth_signTypedData_v4":
      return signer.signTypedData(element.typedData)
    case "eip7702_authorization":
      if (signer.sign === undefined)
        throw new TypeError(
          "A browser wallet can't sign EIP-7702 authorizations for a web page. Sign with a local account."
        )
      return signer.sign({ hash: element.hash })
    case "sign_psbt":
      if (signer.signPsbt === undefined) throw new TypeError("The signer has no `signPsbt`, which Bitcoin requires.")
      return signer.signPsbt({ psbt: element.psbtBase64 }) as Promise<Hex>
  }
}

/** Signs the elements of a quote one after another, because a wallet should show one request at a time. */
export const signQuote = async (
  { quoteId, signData }: Pick<Quote, "quoteId" | "signData">,
  signer: Signer
): Promise<SignedQuote> => {
  const elementSigner = toLocalSigner(signer)
  const signatures: Record<Hex, Hex> = {}
  for (const element of signData) signatures[element.hash] = await signElement(elementSigner, element)
  return { quoteId, signatures }
}

/** A quote with a method that signs it. */
export type Signable<Q extends Pick<Quote, "quoteId" | "signData">> = Q & {
  /** Signs every element of `signData`. Returns the body of `execute`. */
  readonly sign: (signer: Signer) => Promise<SignedQuote>
}

const isQuote = (value: unknown): value is Pick<Quote, "quoteId" | "signData"> =>
  typeof value === "object" && value !== null && "quoteId" in value && value.quoteId !== null && "signData" in value

/** Adds a `sign` method to a quote, or to each quote of a list. Returns other responses unchanged. */
export const signable = <A>(response: A): A => {
  if (Array.isArray(response)) return response.map(signable) as A
  return isQuote(response) ? { ...response, sign: (signer: Signer) => signQuote(response, signer) } : response
}
