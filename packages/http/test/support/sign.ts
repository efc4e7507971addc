import { privateKeyToAccount } from "viem/accounts"

export interface SignDatum {
  readonly type: string
  readonly method: string
  readonly hash: `0x${string}`
  // biome-ignore lint/suspicious/noExplicitAny: passed to viem as it came.
  readonly typedData?: any
}

/** Signs one element of a quote's `signData`, as its method says. */
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

/** A quote's signatures, each under the hash of its element: what `execute` takes. */
export const signaturesByHash = async (privateKey: `0x${string}`, signData: ReadonlyArray<SignDatum>) =>
  Object.fromEntries(
    await Promise.all(signData.map(async (element) => [element.hash, await sign(privateKey, element)] as const))
  )

/** The fields with which a quote's signatures are sent. Of several operations the last is the one that the quote names. */
export const signatures = async (privateKey: `0x${string}`, signData: ReadonlyArray<SignDatum>) => {
  const operations = signData.filter(({ type }) => type === "USER_OPERATION")
  const operation = operations.at(-1)!
  const authorization = signData.find(({ type }) => type === "AUTHORIZATION")
  const others = await Promise.all(
    operations.slice(0, -1).map(async (other) => [other.hash, await sign(privateKey, other)] as const)
  )
  return {
    signature: await sign(privateKey, operation),
    ...(others.length === 0 ? {} : { signatures: Object.fromEntries(others) }),
    ...(authorization === undefined ? {} : { authorization: await sign(privateKey, authorization) })
  }
}
