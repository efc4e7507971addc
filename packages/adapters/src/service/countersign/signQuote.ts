import type { Hex, SignData } from "./openapi.ts"
import type { Quote } from "./resources.ts"

/** A quote with a signature for every element, by the element's hash: the body of `execute`. */
export interface SignedQuote {
  readonly quoteId: string
  readonly signatures: Record<string, string>
}

type TypedData = Extract<SignData, { readonly method: "eth_signTypedData_v4" }>["typedData"]
/** The type that viem expects, which has mutable arrays. */
type ViemTypedData = Omit<TypedData, "types"> & {
  readonly types: Record<string, Array<{ name: string; type: string }>>
}

/** A signer in this process, such as viem's `LocalAccount`. */
export interface LocalSigner {
  readonly address: string
  signMessage(options: { readonly message: { readonly raw: Hex } }): Promise<Hex>
  signTypedData(typedData: ViemTypedData): Promise<Hex>
  /** Signs 32 bytes without a prefix. Only used for EIP-7702 authorizations. */
  sign?(options: { readonly hash: Hex }): Promise<Hex>
  /**
   * Signs a PSBT in base64 (BIP-174). Returns the PSBT, or the final transaction, in hexadecimal. For Bitcoin wallets.
   */
  signPsbt?(options: { readonly psbt: string }): Promise<string>
}

const signElement = async (signer: LocalSigner, element: SignData): Promise<string> => {
  switch (element.method) {
    case "personal_sign":
      return signer.signMessage({ message: { raw: element.hash } })
    case "eth_signTypedData_v4":
      return signer.signTypedData(element.typedData as ViemTypedData)
    case "eip7702_authorization":
      if (signer.sign === undefined)
        throw new TypeError("The signer has no `sign`, which signs EIP-7702 authorizations.")
      return signer.sign({ hash: element.hash })
    case "sign_psbt":
      if (signer.signPsbt === undefined)
        throw new TypeError("The signer has no `signPsbt`, which signs Bitcoin transactions.")
      return signer.signPsbt({ psbt: element.psbtBase64 })
  }
}

/** Signs the elements of a quote one after another, like `quote.sign(account)`. Returns the body of `execute`. */
export const signQuote = async (
  { quoteId, signData }: Pick<Quote, "quoteId" | "signData">,
  signer: LocalSigner
): Promise<SignedQuote> => {
  const signatures: Record<string, string> = {}
  for (const element of signData) signatures[element.hash] = await signElement(signer, element)
  return { quoteId, signatures }
}

/** A quote with a method that signs it. */
export type Signable<Q extends Pick<Quote, "quoteId" | "signData">> = Q & {
  /** Signs every element of `signData`. Returns the body of `execute`. */
  readonly sign: (signer: LocalSigner) => Promise<SignedQuote>
}

const isQuote = (value: unknown): value is Pick<Quote, "quoteId" | "signData"> =>
  typeof value === "object" && value !== null && "quoteId" in value && value.quoteId !== null && "signData" in value

/** Adds a `sign` method to a quote, or to each quote of a list. */
export const addSignMethod = <A>(response: A): A => {
  if (Array.isArray(response)) return response.map(addSignMethod) as A
  return isQuote(response) ? { ...response, sign: (signer: LocalSigner) => signQuote(response, signer) } : response
}
