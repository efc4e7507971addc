import { withDescription } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import { endpoint } from "../src/api/endpoints/index.ts"
import { ExecuteBody, Hash32Text, HexBytesText } from "../src/api/wire/index.ts"
import { signQuote } from "./signQuote.ts"

const SignBody = Schema.Struct({
  quoteId: ExecuteBody.fields.quoteId.pipe(withDescription("Id of the quote to sign"))
}).annotate({ identifier: "SandboxSignRequest", description: "A quote to sign" })

const SignedBody = Schema.Struct({
  quoteId: ExecuteBody.fields.quoteId,
  signatures: Schema.Record(Hash32Text, HexBytesText).annotate({
    description: "Signature of each element of `signData`, by the element's hash"
  })
}).annotate({
  identifier: "SandboxSigned",
  description: "A signed quote, which is the request body of POST /api/v1/crypto/execute"
})

/** Signs a quote for a web page, which does not have the key of the demonstration owner. */
export const signEndpoint = endpoint({
  id: "sandbox.sign",
  method: "POST",
  path: "/api/v1/sandbox/sign",
  summary: "Sign a quote as the owner of a demonstration wallet",
  description:
    "Returns the request body of POST /api/v1/crypto/execute. Only the sandbox has this endpoint; " +
    "with other services the owner's own wallet signs, because the service has no owner's key.",
  payload: SignBody,
  success: SignedBody,
  errors: ["QUOTE_NOT_FOUND", "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT"],
  scope: "execute",
  cost: null,
  run: ({ payload, project }) => signQuote(project.id, payload.quoteId)
})
