import type { SignData } from "@countersign/core/foundation/signing"
import { type Intent, isUserOperation } from "@countersign/core/operations/intents"
import type { SignDataBody } from "./resources.ts"

const base64Of = (bytes: string): string => Buffer.from(bytes.slice(2), "hex").toString("base64")

/**
 * Converts an element to the API's format. The core has one type for all elements. In the API the method determines the
 * fields.
 */
const elementBody = (
  intent: Intent | null,
  { authorization, hash, method, psbt, type, typedData }: SignData
): SignDataBody => {
  const userOperationHash = intent !== null && isUserOperation(intent) ? intent.hash : null
  switch (method) {
    case "personal_sign":
      return { type: "USER_OPERATION", method, hash, userOperationHash: userOperationHash! }
    case "eth_signTypedData_v4":
      return {
        type: type === "LIMIT_ORDER" ? type : "USER_OPERATION",
        method,
        hash,
        userOperationHash,
        typedData: typedData!
      }
    case "eip7702_authorization":
      return { type: "AUTHORIZATION", method, hash, authorization: authorization! }
    case "sign_psbt":
      return { type: "BITCOIN_TRANSACTION", method, hash, psbt: psbt!, psbtBase64: base64Of(psbt!) }
  }
}

/** Converts an element that the owner signs separately from a quote. */
export const signDataOfElement = (element: SignData): SignDataBody => elementBody(null, element)

/** Converts the elements that the owner signs, in order. */
export const signDataBody = (intents: ReadonlyArray<Intent>): ReadonlyArray<SignDataBody> =>
  intents.flatMap((intent) => intent.signData.map((element) => elementBody(intent, element)))
