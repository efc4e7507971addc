import { privateKeyToAccount } from "viem/accounts"

export interface SignDatum {
  readonly type: string
  readonly method: string
  readonly hash: `0x${string}`
  // biome-ignore lint/suspicious/noExplicitAny: passed to viem unchanged.
  readonly typedData?: any
}

/** Signs one element of a quote's `signData` with the method of the element. */
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

/** A quote's signatures by the hash of their element, as `execute` accepts them. */
export const signaturesByHash = async (privateKey: `0x${string}`, signData: ReadonlyArray<SignDatum>) =>
  Object.fromEntries(
    await Promise.all(signData.map(async (element) => [element.hash, await sign(privateKey, element)] as const))
  )

/** The signature fields of a request. If there are several operations, the quote names the last one. */
export const signatures = async (privateKey: `0x${string}`, signData: ReadonlyArray<SignDatum>) => {
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
