import type { AccountKind } from "./accounts.ts"
import { address, type Bytes, parseInteger } from "./bytes.ts"
import { authorizationHash, type Operation } from "./operations.ts"
import type { AnyQuote, Report } from "./shapes.ts"

/** Serializes a value canonically, independent of field order and of the letter case of hexadecimal strings. */
const toCanonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(",")}]`
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${fields.map(([name, item]) => `${JSON.stringify(name)}:${toCanonicalJson(item)}`).join(",")}}`
  }
  return JSON.stringify(typeof value === "string" && /^0x[0-9a-f]*$/iu.test(value) ? value.toLowerCase() : value)
}

export const isSameValue = (one: unknown, other: unknown): boolean => toCanonicalJson(one) === toCanonicalJson(other)

export interface ExpectedElement {
  readonly type: string
  readonly method: string
  readonly hash: Bytes
  /** Null for a limit order; absent for an EIP-7702 authorization. */
  readonly userOperationHash?: Bytes | null
  readonly typedData?: object
  readonly authorization?: object
}

/**
 * Returns the EIP-7702 authorization that the operation needs; null if the quote contains none. The nonce is taken from
 * the quote, because the verifier cannot read it from the owner's account on-chain.
 */
const authorizationFor = (
  quote: AnyQuote,
  { chainId }: Operation,
  delegate: Bytes,
  report: Report
): ExpectedElement | null => {
  const quotedAuthorization = quote.authorization
  if (quotedAuthorization === undefined) {
    report(
      "wrong_signing",
      "authorization",
      "The operation needs an EIP-7702 authorization, but the quote contains none."
    )
    return null
  }
  if (address(quotedAuthorization.address) !== delegate) {
    report(
      "wrong_delegate",
      "authorization.address",
      `The authorization delegates the owner's address to the unexpected contract ${quotedAuthorization.address}.`
    )
  }
  if (quotedAuthorization.chainId !== chainId) {
    report(
      "wrong_chain",
      "authorization.chainId",
      `The authorization is for chain ${quotedAuthorization.chainId} (0 means every chain), not for chain ${chainId}.`
    )
  }
  const nonce = Number(parseInteger(quotedAuthorization.nonce))
  const hash = authorizationHash(chainId, delegate, nonce)
  if (quotedAuthorization.hash.toLowerCase() !== hash)
    report("wrong_hash", "authorization.hash", "The hash does not match the authorization.")
  return {
    type: "AUTHORIZATION",
    method: "eip7702_authorization",
    hash,
    authorization: { chainId, address: delegate, nonce, hash }
  }
}

/** Checks that `signData` contains exactly the data for the operations, followed by the order. */
export const checkSigning = (
  quote: AnyQuote,
  operations: ReadonlyArray<Operation>,
  { delegate, hash, signing }: AccountKind,
  report: Report,
  order: ExpectedElement | null = null
): void => {
  const expectedElements: Array<ExpectedElement> = []
  let mainTypedData: object | undefined
  let needsAuthorization = false
  for (const [i, operation] of operations.entries()) {
    if (quote.userOperations[i]!.userOperationHash.toLowerCase() !== hash(operation)) {
      report(
        "wrong_hash",
        `userOperations[${i}].userOperationHash`,
        "The hash does not match the fields of the operation."
      )
    }
    const { typedData, ...element } = signing(operation)
    mainTypedData = typedData ?? undefined
    expectedElements.push({
      type: "USER_OPERATION",
      ...element,
      userOperationHash: hash(operation),
      ...(typedData === null ? {} : { typedData })
    })
    if (delegate !== null && operation.factory !== null) {
      needsAuthorization = true
      const authorization = authorizationFor(quote, operation, delegate, report)
      if (authorization !== null) expectedElements.push(authorization)
    }
  }
  if (order !== null) expectedElements.push(order)
  if (!needsAuthorization && quote.authorization !== undefined) {
    report("wrong_signing", "authorization", "The quote requests an authorization that no operation needs.")
  }
  if (quote.signData.length !== expectedElements.length) {
    report(
      "wrong_signing",
      "signData",
      `${quote.signData.length} signatures are requested; the operations need ${expectedElements.length}.`
    )
  }
  for (const [i, element] of expectedElements.entries()) {
    const quotedElement = quote.signData[i]
    if (quotedElement === undefined) continue
    if (quotedElement.hash.toLowerCase() !== element.hash) {
      report("wrong_hash", `signData[${i}].hash`, "The hash does not match the data to sign.")
    }
    if (!isSameValue(quotedElement, element)) {
      report(
        "wrong_signing",
        `signData[${i}]`,
        "The element differs from the data that the account's owner must sign for the operation."
      )
    }
  }
  const lastOperation = operations.at(-1)
  if ((quote.userOperationHash?.toLowerCase() ?? null) !== (lastOperation === undefined ? null : hash(lastOperation))) {
    report("wrong_hash", "userOperationHash", "The hash does not match the operation to sign.")
  }
  if (
    quote.type !== "LIMIT_ORDER" &&
    "typedData" in quote &&
    quote.typedData !== undefined &&
    !isSameValue(quote.typedData, mainTypedData)
  ) {
    report("wrong_signing", "typedData", "The typed data does not match the operation.")
  }
}
