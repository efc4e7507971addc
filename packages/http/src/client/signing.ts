import type { Hex } from "./openapi.ts"
import type { ExecuteRequest, Quote, SignData } from "./resources.ts"

type TypedData = Extract<SignData, { readonly method: "eth_signTypedData_v4" }>["typedData"]

/** What signs in this process: viem's `LocalAccount` is one. */
export interface LocalSigner {
  readonly address: Hex
  signMessage(options: { readonly message: { readonly raw: Hex } }): Promise<Hex>
  signTypedData(typedData: TypedData): Promise<Hex>
  /** Signs 32 bytes as they are: for EIP-7702 authorizations alone. */
  sign?(options: { readonly hash: Hex }): Promise<Hex>
}

/** What asks a wallet to sign: viem's `WalletClient` with an account is one. */
export interface WalletSigner {
  readonly account: { readonly address: Hex; readonly type: string } | undefined
  signMessage(options: { readonly account: Hex; readonly message: { readonly raw: Hex } }): Promise<Hex>
  signTypedData(typedData: TypedData & { readonly account: Hex }): Promise<Hex>
}

export type Signer = LocalSigner | WalletSigner

const localSigner = (signer: Signer): LocalSigner => {
  if ("address" in signer) return signer
  const { account } = signer
  if (account === undefined) throw new TypeError("The wallet client has no account. Create it with one.")
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
        throw new TypeError("A wallet does not sign EIP-7702 authorizations for a page. Sign with a local account.")
      return signer.sign({ hash: element.hash })
  }
}

/** Signs every element of a quote, one after the other, so that a wallet asks once at a time. */
export const signQuote = async (
  { signData, userOperationHash }: Pick<Quote, "signData" | "userOperationHash">,
  signer: Signer
): Promise<ExecuteRequest> => {
  const local = localSigner(signer)
  const operations: Array<readonly [hash: Hex, signature: Hex]> = []
  let authorization: Hex | undefined
  for (const element of signData) {
    const signature = await signElement(local, element)
    if (element.type === "AUTHORIZATION") authorization = signature
    else operations.push([element.hash, signature])
  }
  // The last operation is the quote's own; those before it make way for it.
  const last = operations.pop()
  if (last === undefined)
    throw new TypeError("There is nothing to sign in this quote: sign the batch that it is part of.")
  return {
    userOperationHash,
    signature: last[1],
    ...(authorization === undefined ? {} : { authorization }),
    ...(operations.length === 0 ? {} : { signatures: Object.fromEntries(operations) })
  }
}

/** A quote that can be signed right away. */
export type Signable<Q extends Quote> = Q & { readonly sign: (signer: Signer) => Promise<ExecuteRequest> }

export const signable = <Q extends Quote>(quote: Q): Signable<Q> => ({
  ...quote,
  sign: (signer) => signQuote(quote, signer)
})
