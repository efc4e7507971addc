import { privateKeyToAccount } from "viem/accounts"

export interface SignDatum {
  readonly type: string
  readonly method: string
  readonly hash: `0x${string}`
  // biome-ignore lint/suspicious/noExplicitAny: passed to viem unchanged.
  readonly typedData?: any
}

/** Signs an element of `signData` with the element's method. */
export const sign = (privateKey: `0x${string}`, { hash, method, typedData }: SignDatum): Promise<string> => {
  const account = privateKeyToAccount(privateKey)
  switch (method) {
    case "personal_sign":
      return account.signMessage({ message: { raw: hash } })
    case "eth_signTypedData_v4":
      return account.signTypedData(typedData)
    default:
      return account.sign({ hash })
  }
}

/** Signs all elements. Returns the signatures by element hash, as `execute` accepts them. */
export const signByHash = async (privateKey: `0x${string}`, signData: ReadonlyArray<SignDatum>) =>
  Object.fromEntries(
    await Promise.all(signData.map(async (element) => [element.hash, await sign(privateKey, element)] as const))
  )

/**
 * Signs all elements. Returns the signature fields of a request; with several operations, the last operation identifies
 * the quote.
 */
export const signOperations = async (privateKey: `0x${string}`, signData: ReadonlyArray<SignDatum>) => {
  const operations = signData.filter(({ type }) => type === "USER_OPERATION")
  const operation = operations.at(-1)!
  const authorization = signData.find(({ type }) => type === "AUTHORIZATION")
  const otherSignatures = await Promise.all(
    operations.slice(0, -1).map(async (other) => [other.hash, await sign(privateKey, other)] as const)
  )
  return {
    signature: await sign(privateKey, operation),
    ...(otherSignatures.length === 0 ? {} : { signatures: Object.fromEntries(otherSignatures) }),
    ...(authorization === undefined ? {} : { authorization: await sign(privateKey, authorization) })
  }
}
