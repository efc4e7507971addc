import type { SignData } from "@countersign/core/signing"
import type { SignDataBody } from "./resources.ts"

/** In the core an element is one shape; here its method decides what it carries. */
const elementBody = ({ authorization, hash, method, type, typedData }: SignData): ReadonlyArray<SignDataBody> => {
  switch (method) {
    case "personal_sign":
      return [{ type: "USER_OPERATION", method, hash }]
    case "eth_signTypedData_v4":
      return [{ type: type === "LIMIT_ORDER" ? type : "USER_OPERATION", method, hash, typedData: typedData! }]
    case "eip7702_authorization":
      return [{ type: "AUTHORIZATION", method, hash, authorization: authorization! }]
    case "sign_psbt":
      return []
  }
}

/** What the owner of an account signs. What a Bitcoin wallet signs is not in the API yet. */
export const signDataBody = (signData: ReadonlyArray<SignData>): ReadonlyArray<SignDataBody> =>
  signData.flatMap(elementBody)
