/** An error id: its HTTP status, its meaning, and the remedy. */
export interface ErrorEntry {
  readonly status: number
  readonly meaning: string
  readonly remedy: string
}

/**
 * Every id that an error of the services can have, each the `_tag` of one class in the core. Those of the API document come
 * first, also where the feature is still to come.
 */
export const errorTable = {
  NOT_AUTHORIZED_TOKENS: {
    status: 400,
    meaning: "The service does not support a token of the request.",
    remedy: "Use a token of GET /api/v1/crypto/tokens. `message` names the field and the chain."
  },
  UNAVAILABLE_COMPUTE_UNITS: {
    status: 403,
    meaning: "The project has used up its compute units.",
    remedy: "Ask the operator for more. Requests that cost less may still be answered."
  },
  ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT: {
    status: 404,
    meaning: "The wallet is not registered with this project.",
    remedy: "Register it with POST /api/v1/wallets/register, or check the address and the API key."
  },
  SWAP_QUOTE: {
    status: 500,
    meaning: "No provider gave a quote.",
    remedy: "Read the reasons in `message`. Change the tokens or the amount; where a provider is down, try again later."
  },
  FIAT_QUOTE_EXPIRED: { status: 400, meaning: "The fiat quote has expired.", remedy: "Ask for a new quote." },
  FIAT_QUOTE_NOT_FOUND: {
    status: 404,
    meaning: "There is no such fiat quote.",
    remedy: "Check `quoteId`, or ask for a new quote."
  },
  FAILED_TO_CREATE_FIAT_DEPOSIT: {
    status: 500,
    meaning: "The deposit order could not be created.",
    remedy: "Try again later. `message` names what failed."
  },
  FAILED_TO_CREATE_FIAT_WITHDRAW: {
    status: 500,
    meaning: "The withdrawal order could not be created.",
    remedy: "Try again later. `message` names what failed."
  },
  FIAT_QUOTE_ALREADY_USED: {
    status: 409,
    meaning: "An order was made of the fiat quote before.",
    remedy: "Look at that order, which `message` names; for another, ask for a new quote."
  },
  CALLBACK_SIGNATURE_INVALID: {
    status: 401,
    meaning: "A message of a provider of bank payments carries no valid signature.",
    remedy: "Give the service the secret that the provider signs with, and check the clocks of both."
  },
  FIAT_ORDER_NOT_FOUND: {
    status: 404,
    meaning: "There is no such fiat order.",
    remedy: "Check the id and the API key."
  },
  FINANCIAL_LIMIT_EXCEEDED: {
    status: 400,
    meaning: "The identity's limit of a period leaves less than the amount.",
    remedy:
      "Take less: `message` says how much is left. GET /api/v1/kyc/identities/{identityId}/financial-limits has all limits."
  },
  IDENTITY_NOT_FOUND: {
    status: 404,
    meaning: "The project has no identity with this id.",
    remedy: "Check the id. Only an identity whose verification is complete can deposit and withdraw fiat."
  },
  FIAT_CUSTOMER_NOT_READY: {
    status: 400,
    meaning: "No fiat provider that serves the request has the individual as an active customer.",
    remedy:
      "Read in `message` what each provider waits for. `fiatRegistrations` of the verification session and the events `kyc.provider.*` show when it is ACTIVE. Submit missing fields with POST /api/v1/kyc/identities/{identityId}/fiat-registrations."
  },
  CANCEL_LIMIT_ORDER_NOT_ALLOWED: {
    status: 400,
    meaning: "The transaction is no active limit order that can be cancelled.",
    remedy: "Look at its status in the history: it may have ended."
  },
  CANCEL_LIMIT_ORDER_TRANSACTION_NOT_FOUND: {
    status: 404,
    meaning: "There is no such limit order.",
    remedy: "Check the transaction's id and the API key."
  },
  FACTORY_NOT_SUPPORTED: {
    status: 400,
    meaning: "The account factory is not supported, or not in this way.",
    remedy: "Use one of GET /api/v1/wallets/factories, with `eip7702` as it is given there."
  },
  PROJECT_NOT_FOUND: { status: 404, meaning: "The project does not exist.", remedy: "Use another project's API key." },
  NFT_METADATA_DECODE_FAILED: {
    status: 500,
    meaning: "The contract of a Uniswap position answers metadata that is none.",
    remedy: "Ask without NFTs. Check the node of the chain: these contracts are the same for everybody."
  },
  BLOCKCHAIN_ERROR: { status: 500, meaning: "A chain could not be read.", remedy: "Try again shortly." },
  EXPIRED_BITCOIN_QUOTE: {
    status: 400,
    meaning: "The Bitcoin quote has expired.",
    remedy: "Ask for a new quote and sign that."
  },
  BITCOIN_QUOTE_NOT_FOUND: {
    status: 404,
    meaning: "There is no such Bitcoin quote.",
    remedy: "Check `quoteId`, or ask for a new quote."
  },
  FAILED_TO_BROADCAST_TRANSACTION_EXCEPTION: {
    status: 500,
    meaning: "The Bitcoin transaction could not be published.",
    remedy: "Read the reason in `message`. Try again with the same transaction, or ask for a new quote."
  },
  INVALID_TAX_EXPORT_SCHEDULE_TIMEZONE: {
    status: 400,
    meaning: "The time zone does not exist.",
    remedy: "Give an IANA name, such as America/Sao_Paulo."
  },
  TAX_EXPORT_SCHEDULE_ALREADY_EXISTS: {
    status: 409,
    meaning: "The wallet has a schedule with this preset.",
    remedy: "Keep it, or delete it first."
  },
  FAILED_TO_PUBLISH_TAX_EXPORT_SCHEDULE_MESSAGE: {
    status: 500,
    meaning: "The schedule could not be started.",
    remedy: "Read the reason in `message`. Where the service sends no mail, the operator has to set that up."
  },
  USER_OPERATION_NOT_FOUND: {
    status: 404,
    meaning: "The project has no operation with this hash.",
    remedy:
      "Use `userOperationHash` of a quote that this project made. Quotes that were not executed are deleted after a time."
  },
  QUOTE_NOT_FOUND: {
    status: 404,
    meaning: "The project has no such quote.",
    remedy: "Use `quoteId` of a quote that this project made. Quotes that were not executed are deleted after a time."
  },
  QUOTE_EXPIRED: {
    status: 400,
    meaning: "The quote was not executed in time.",
    remedy: "Ask for a new quote and sign that."
  },
  TRANSACTION_NOT_FOUND: {
    status: 404,
    meaning: "The project has no such transaction.",
    remedy: "Use `transactionId` of an execution, or `id` of a transaction in a wallet's history."
  },
  BAD_REQUEST: {
    status: 400,
    meaning: "The request can't be carried out as written.",
    remedy: "`errors` lists every problem with its field. Fix the request; the same one fails again."
  },
  INVALID_API_KEY: {
    status: 401,
    meaning: "The request has no valid API key.",
    remedy: "Send the project's key in the `x-api-key` header. It may have expired or been revoked."
  },
  FORBIDDEN_SCOPE: {
    status: 403,
    meaning: "The API key lacks the scope that this request needs.",
    remedy: "Use a key with the scope that `message` names."
  },
  UPSTREAM_UNAVAILABLE: {
    status: 502,
    meaning: "Something that the service relies on, such as a chain's node, gave no usable answer.",
    remedy: "Try again shortly. `message` names it."
  },
  RATE_LIMITED: {
    status: 429,
    meaning: "The API key has made as many requests as it may for now.",
    remedy: "Try again after the seconds of `Retry-After`."
  },
  OVERLOADED: {
    status: 503,
    meaning: "The service, or this project's share of it, is busy.",
    remedy: "Try again after the seconds of `Retry-After`."
  },
  UNPAID_GAS_LIMIT: {
    status: 429,
    meaning: "Operations of this wallet, owner or project have left too much gas unpaid, or those under way may.",
    remedy: "Wait for the seconds of `Retry-After`, pay gas in the chain's own coin, or talk to the operator."
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    meaning: "The `Idempotency-Key` was used for another request within 24 hours.",
    remedy: "Use a new key for each request, and the same only for a repeat of the same request."
  },
  IDEMPOTENT_REQUEST_RUNNING: {
    status: 409,
    meaning: "A request with this `Idempotency-Key` is still being answered.",
    remedy: "Repeat it a little later to get its answer."
  },
  WALLET_ALREADY_REGISTERED: {
    status: 400,
    meaning: "The project has registered this wallet before.",
    remedy: "Go on: GET /api/v1/wallets/address shows it."
  },
  INVALID_SIGNATURE: {
    status: 400,
    meaning: "A signature is missing, or is not the owner's.",
    remedy: "Sign every element of `signData` as its `method` says, with the owner's key. `message` names the signers."
  },
  USER_OPERATION_EXPIRED: {
    status: 400,
    meaning: "The quote was not executed in time.",
    remedy: "Ask for a new quote and sign that."
  },
  AUTHORIZATION_STALE: {
    status: 409,
    meaning: "The owner's transaction count has changed since the quote.",
    remedy:
      "Sign `authorization`, which is the tuple that holds now, and send the quote again with that signature in place of the tuple's; the others stay valid. Or ask for a new quote."
  },
  ACCOUNT_CHANGED: {
    status: 409,
    meaning: "The account's code is not that of its kind any more.",
    remedy: "Ask the owner what replaced it. The service does not operate an account that it does not know."
  },
  TRANSACTION_IN_BLOCK: {
    status: 409,
    meaning:
      "A Bitcoin transaction is in a block already: it can't be replaced, and no other transaction can spend its coins.",
    remedy: "Read the history of the wallet. For another payment, ask for a new quote."
  },
  QUOTE_STALE: {
    status: 409,
    meaning: "The operation would revert now, or give less than was quoted. Nothing was sent.",
    remedy: "Ask for a new quote. `revertReason` says why, where it would revert."
  },
  INDIVIDUAL_VERIFICATION_REQUIRED: {
    status: 400,
    meaning: "The request needs an individual whose verification is complete.",
    remedy:
      "Give `individualId` of a verified individual. Fiat, and tokens of real-world assets, need one. After a refusal or an expiry start another verification session."
  },
  LIQUIDITY_POOL_NOT_FOUND: {
    status: 404,
    meaning: "No Uniswap V3 pool has this address on this chain.",
    remedy: "Use an id of GET /api/v1/liquidity/pools. Pools of other exchanges are not shown."
  },
  LIQUIDITY_POSITION_NOT_FOUND: {
    status: 404,
    meaning: "Uniswap's position manager on this chain has no such NFT.",
    remedy: "Check the chain and the NFT's number. A position that was emptied may have been burnt."
  },
  VERIFICATION_SESSION_NOT_FOUND: {
    status: 404,
    meaning: "The project has no verification session with this id.",
    remedy: "Use the `session.id` of the answer that started it."
  },
  VERIFICATION_SESSION_STATE: {
    status: 409,
    meaning: "The state of the verification session, or of another one of the same document, does not allow this.",
    remedy:
      "Read the session that `message` names. After a refusal or an expiry start another one: it has the same identity."
  },
  IDENTITY_NOT_SERVED: {
    status: 503,
    meaning: "The service keeps no personal data, so that it verifies no identities.",
    remedy: "`message` names what the operator has to set."
  },
  UPLOAD_REFUSED: {
    status: 403,
    meaning: "The upload is not what its descriptor allows.",
    remedy: "Send every field of the descriptor as it is, then the file in the field `file`, within 15 minutes."
  },
  DOCUMENT_TOO_LARGE: {
    status: 413,
    meaning: "The document is larger than its descriptor allows.",
    remedy: "Send a smaller file. `message` names the limit."
  },
  DOCUMENT_TYPE_NOT_ACCEPTED: {
    status: 415,
    meaning: "The file is of none of the accepted types.",
    remedy: "Send a PDF, JPEG or PNG file, with its own content type."
  },
  DOCUMENT_ALREADY_UPLOADED: {
    status: 409,
    meaning: "The document was uploaded before.",
    remedy: "Nothing is to be done. To send another one, start another session."
  },
  UPLOAD_IN_PROGRESS: {
    status: 409,
    meaning: "Another upload of the same document has not ended.",
    remedy: "Wait until it has ended. Upload again if it failed."
  },
  TAX_EXPORT_SCHEDULE_NOT_FOUND: {
    status: 404,
    meaning: "The wallet has no schedule of tax exports.",
    remedy: "Make one with POST /api/v1/wallets/{walletAddress}/tax-export/schedules."
  },
  VERIFICATION_OWNER_NOT_FOUND: {
    status: 404,
    meaning: "The verification session has no such owner.",
    remedy: "Use an `ownerId` of the session: `message` lists them. Null is the person or business itself."
  },
  VERIFICATION_DOCUMENT_NOT_FOUND: {
    status: 404,
    meaning: "The verification session has no such document, or it is not uploaded or was erased.",
    remedy: "Use a `documentId` of GET /api/v1/admin/identity-sessions/{sessionId} whose `isUploaded` is true."
  },
  API_KEY_NOT_FOUND: {
    status: 404,
    meaning: "The project has no such API key, or it was revoked before.",
    remedy: "GET /api/v1/admin/keys lists the keys."
  },
  WEBHOOK_NOT_FOUND: {
    status: 404,
    meaning: "The project has no such webhook.",
    remedy: "GET /api/v1/webhooks lists them."
  },
  WEBHOOK_DELIVERY_NOT_FOUND: {
    status: 404,
    meaning: "The webhook has no such delivery.",
    remedy: "GET /api/v1/webhooks/{id}/deliveries lists them."
  },
  WEBHOOK_DISABLED: {
    status: 409,
    meaning: "The webhook is disabled.",
    remedy: "Enable it with POST /api/v1/webhooks/{id}/enable."
  }
} as const satisfies Readonly<Record<string, ErrorEntry>>

export type ErrorId = keyof typeof errorTable
