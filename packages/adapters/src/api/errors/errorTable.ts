/** An error id's HTTP status, its meaning and what the caller can do. */
export interface ErrorEntry {
  readonly status: number
  readonly meaning: string
  readonly remedy: string
}

/** The table of error ids. Each id is the `_tag` of an error class. The ids of the API document come first. */
export const errorTable = {
  NOT_AUTHORIZED_TOKENS: {
    status: 400,
    meaning: "The service does not support a token in the request.",
    remedy: "Use a token that GET /api/v1/crypto/tokens lists. `message` names the field and the chain."
  },
  UNAVAILABLE_COMPUTE_UNITS: {
    status: 403,
    meaning: "The project has used up its compute units.",
    remedy: "Ask the operator for more units. Requests that cost fewer units may still succeed."
  },
  ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT: {
    status: 404,
    meaning: "The wallet is not registered with this project.",
    remedy: "Register it with POST /api/v1/wallets/register, or check the address and the API key."
  },
  SWAP_QUOTE: {
    status: 500,
    meaning: "No provider returned a quote.",
    remedy: "Read the reasons in `message`. Change the tokens or the amount. If a provider is down, try again later."
  },
  FIAT_QUOTE_EXPIRED: { status: 400, meaning: "The fiat quote has expired.", remedy: "Request a new quote." },
  FIAT_QUOTE_NOT_FOUND: {
    status: 404,
    meaning: "The project has no such fiat quote.",
    remedy: "Check `quoteId`, or request a new quote."
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
    meaning: "An order was already created from the fiat quote.",
    remedy: "Get the order that `message` names. For another order, request a new quote."
  },
  CALLBACK_SIGNATURE_INVALID: {
    status: 401,
    meaning: "A webhook from a fiat or identity provider has no valid signature.",
    remedy: "Configure the secret or key that the provider signs with, and check the clocks of both servers."
  },
  FIAT_ORDER_NOT_FOUND: {
    status: 404,
    meaning: "The project has no such fiat order.",
    remedy: "Check the id and the API key."
  },
  FINANCIAL_LIMIT_EXCEEDED: {
    status: 400,
    meaning: "The amount exceeds the remaining limit of the identity.",
    remedy:
      "Use a smaller amount: `message` contains the remaining amount. GET /api/v1/kyc/identities/{identityId}/financial-limits returns all limits."
  },
  IDENTITY_NOT_FOUND: {
    status: 404,
    meaning: "The project has no identity with this id.",
    remedy: "Check the id. Only a verified identity can deposit and withdraw fiat."
  },
  FIAT_CUSTOMER_NOT_READY: {
    status: 400,
    meaning: "The individual is not an active customer of any fiat provider that can serve the request.",
    remedy:
      "`message` states the missing step of each provider. `fiatRegistrations` of the verification session and the events `kyc.provider.*` show when a registration is ACTIVE. Submit missing fields with POST /api/v1/kyc/identities/{identityId}/fiat-registrations."
  },
  CANCEL_LIMIT_ORDER_NOT_ALLOWED: {
    status: 400,
    meaning: "The transaction is not an open limit order that can be cancelled.",
    remedy: "Read its status in the history: the order may have ended."
  },
  CANCEL_LIMIT_ORDER_TRANSACTION_NOT_FOUND: {
    status: 404,
    meaning: "The project has no such limit order.",
    remedy: "Check the transaction's id and the API key."
  },
  FACTORY_NOT_SUPPORTED: {
    status: 400,
    meaning: "The account factory is not supported, or does not support this value of `eip7702`.",
    remedy: "Use a factory that GET /api/v1/wallets/factories lists, with its `eip7702`."
  },
  PROJECT_NOT_FOUND: {
    status: 404,
    meaning: "The project does not exist.",
    remedy: "Use an API key of an existing project."
  },
  NFT_METADATA_DECODE_FAILED: {
    status: 500,
    meaning: "The metadata of a Uniswap position NFT is not valid.",
    remedy: "Send the request without NFTs. The chain's node may return wrong data: ask the operator to check the node."
  },
  BLOCKCHAIN_ERROR: {
    status: 500,
    meaning: "The service could not read data from a chain.",
    remedy: "Try again shortly."
  },
  EXPIRED_BITCOIN_QUOTE: {
    status: 400,
    meaning: "The Bitcoin quote has expired.",
    remedy: "Request a new quote and sign it."
  },
  BITCOIN_QUOTE_NOT_FOUND: {
    status: 404,
    meaning: "The project has no such Bitcoin quote.",
    remedy: "Check `quoteId`, or request a new quote."
  },
  FAILED_TO_BROADCAST_TRANSACTION_EXCEPTION: {
    status: 500,
    meaning: "The Bitcoin transaction could not be broadcast.",
    remedy: "Read the reason in `message`. Try again with the same transaction, or request a new quote."
  },
  INVALID_TAX_EXPORT_SCHEDULE_TIMEZONE: {
    status: 400,
    meaning: "The time zone does not exist.",
    remedy: "Use an IANA name, such as America/Sao_Paulo."
  },
  TAX_EXPORT_SCHEDULE_ALREADY_EXISTS: {
    status: 409,
    meaning: "The wallet already has a schedule with this preset.",
    remedy: "Keep this schedule, or delete it and create another one."
  },
  FAILED_TO_PUBLISH_TAX_EXPORT_SCHEDULE_MESSAGE: {
    status: 500,
    meaning: "The schedule could not be started.",
    remedy: "Read the reason in `message`. If the service sends no email, the operator has to configure SMTP."
  },
  USER_OPERATION_NOT_FOUND: {
    status: 404,
    meaning: "The project has no operation with this hash.",
    remedy:
      "Use `userOperationHash` of a quote that this project requested. Quotes that are not executed are deleted after their retention time."
  },
  QUOTE_NOT_FOUND: {
    status: 404,
    meaning: "The project has no such quote.",
    remedy:
      "Use `quoteId` of a quote that this project requested. Quotes that are not executed are deleted after their retention time."
  },
  QUOTE_EXPIRED: {
    status: 400,
    meaning: "The quote was not executed in time.",
    remedy: "Request a new quote and sign it."
  },
  TRANSACTION_NOT_FOUND: {
    status: 404,
    meaning: "The project has no such transaction.",
    remedy: "Use `transactionId` of an execution, or `id` of a transaction in a wallet's history."
  },
  BAD_REQUEST: {
    status: 400,
    meaning: "The request is not valid.",
    remedy: "`errors` lists every problem with its field. Fix the request before you send it again."
  },
  INVALID_API_KEY: {
    status: 401,
    meaning: "The request has no valid API key.",
    remedy: "Send the project's key in the `x-api-key` header. The key may have expired or may have been revoked."
  },
  FORBIDDEN_SCOPE: {
    status: 403,
    meaning: "The API key lacks the scope that this request needs.",
    remedy: "Use a key with the scope that `message` names."
  },
  UPSTREAM_UNAVAILABLE: {
    status: 502,
    meaning: "A dependency of the service, such as a chain's node, did not return a usable response.",
    remedy: "Try again shortly. `message` names the dependency."
  },
  RATE_LIMITED: {
    status: 429,
    meaning: "The API key has reached its rate limit.",
    remedy: "Try again after the number of seconds in `Retry-After`."
  },
  OVERLOADED: {
    status: 503,
    meaning: "The service is busy, or the project has used its share of the capacity.",
    remedy: "Try again after the number of seconds in `Retry-After`."
  },
  UNPAID_GAS_LIMIT: {
    status: 429,
    meaning:
      "Operations of this wallet, owner or project have left too much gas unpaid, or their pending operations may leave too much gas unpaid.",
    remedy:
      "Try again after the number of seconds in `Retry-After`, pay gas in the native token, or contact the operator."
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    meaning: "The `Idempotency-Key` was used for another request within 24 hours.",
    remedy: "Use a new key for each request, and the same key only to repeat the same request."
  },
  IDEMPOTENT_REQUEST_RUNNING: {
    status: 409,
    meaning: "A request with this `Idempotency-Key` is still running.",
    remedy: "Repeat the request later to get its response."
  },
  WALLET_ALREADY_REGISTERED: {
    status: 400,
    meaning: "The project has already registered this wallet.",
    remedy: "Use the registered wallet, which GET /api/v1/wallets/address returns."
  },
  INVALID_SIGNATURE: {
    status: 400,
    meaning: "A signature is missing or was not made with the owner's key.",
    remedy:
      "Sign every element of `signData` with the owner's key, with the element's `method`. `message` names the signers."
  },
  USER_OPERATION_EXPIRED: {
    status: 400,
    meaning: "The quote was not executed in time.",
    remedy: "Request a new quote and sign it."
  },
  AUTHORIZATION_STALE: {
    status: 409,
    meaning: "The owner's transaction count (EOA nonce) has changed since the quote.",
    remedy:
      "Sign `authorization`, the tuple with the current nonce, and execute the quote again with this signature instead of the old one. The other signatures stay valid. Or request a new quote."
  },
  ACCOUNT_CHANGED: {
    status: 409,
    meaning: "The account's code is not the code of its account type.",
    remedy: "Ask the owner about the change. The service does not execute operations of an account with unknown code."
  },
  TRANSACTION_IN_BLOCK: {
    status: 409,
    meaning:
      "The Bitcoin transaction is already in a block, so it can't be replaced, and no other transaction can spend its inputs.",
    remedy: "Read the history of the wallet. To make another payment, request a new quote."
  },
  QUOTE_STALE: {
    status: 409,
    meaning:
      "The operation would revert now, return less than quoted, or conflict with another pending Bitcoin payment, so the service did not send it.",
    remedy:
      "Request a new quote. `revertReason` contains the reason, unless the operation would return less than quoted."
  },
  INDIVIDUAL_VERIFICATION_REQUIRED: {
    status: 400,
    meaning: "The request needs an individual whose verification is complete.",
    remedy:
      "Send the `individualId` of a verified individual. Fiat orders and tokens of real-world assets need one. If the verification failed or expired, start another session."
  },
  LIQUIDITY_POOL_NOT_FOUND: {
    status: 404,
    meaning: "No Uniswap V3 pool has this address on this chain.",
    remedy: "Use an id that GET /api/v1/liquidity/pools returns. Pools of other exchanges are not listed."
  },
  LIQUIDITY_POSITION_NOT_FOUND: {
    status: 404,
    meaning: "Uniswap's position manager on this chain has no NFT with this id.",
    remedy: "Check the chain and the token id. If the position is empty, its NFT may have been burned."
  },
  VERIFICATION_SESSION_NOT_FOUND: {
    status: 404,
    meaning: "The project has no verification session with this id.",
    remedy: "Use the `session.id` that the request that started the session returned."
  },
  VERIFICATION_SESSION_STATE: {
    status: 409,
    meaning:
      "The state of the verification session, or of another session for the same document, does not allow this request.",
    remedy:
      "Get the session that `message` names. If that session failed or expired, start another session, which has the same identity id."
  },
  IDENTITY_NOT_SERVED: {
    status: 503,
    meaning: "Identity verification is not configured on this service.",
    remedy: "`message` names the settings that the operator has to set."
  },
  UPLOAD_REFUSED: {
    status: 403,
    meaning: "The upload does not match its descriptor.",
    remedy: "Send every field of the descriptor unchanged, then the file in the field `file`, within 15 minutes."
  },
  DOCUMENT_TOO_LARGE: {
    status: 413,
    meaning: "The document is larger than its descriptor allows.",
    remedy: "Send a smaller file. `message` names the limit."
  },
  DOCUMENT_TYPE_NOT_ACCEPTED: {
    status: 415,
    meaning: "The file type is not accepted.",
    remedy: "Send a PDF, JPEG or PNG file, with the content type of the file."
  },
  DOCUMENT_ALREADY_UPLOADED: {
    status: 409,
    meaning: "The document has already been uploaded.",
    remedy: "No action is needed. To send another document, start another session."
  },
  UPLOAD_IN_PROGRESS: {
    status: 409,
    meaning: "Another upload of the same document is in progress.",
    remedy: "Wait until that upload ends. If it fails, upload the document again."
  },
  TAX_EXPORT_SCHEDULE_NOT_FOUND: {
    status: 404,
    meaning: "The wallet has no schedule of tax exports with this preset.",
    remedy: "Create one with POST /api/v1/wallets/{walletAddress}/tax-export/schedules."
  },
  VERIFICATION_OWNER_NOT_FOUND: {
    status: 404,
    meaning: "The verification session has no owner with this id.",
    remedy: "Use an `ownerId` of the session: `message` lists them. Null means the individual or business itself."
  },
  VERIFICATION_DOCUMENT_NOT_FOUND: {
    status: 404,
    meaning: "The verification session has no such document, or the document is not uploaded or was erased.",
    remedy: "Use a `documentId` of GET /api/v1/admin/identity-sessions/{sessionId} whose `isUploaded` is true."
  },
  API_KEY_NOT_FOUND: {
    status: 404,
    meaning: "The project has no such API key, or it is already revoked.",
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
