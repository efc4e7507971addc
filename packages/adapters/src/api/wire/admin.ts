import { withDefault, withDescription } from "@countersign/core/foundation/primitives"
import { AccessAction, SessionStatus } from "@countersign/core/identity"
import { WaitsFor } from "@countersign/core/operations/executions"
import { ProjectScope } from "@countersign/core/tenancy/projects"
import { Schema } from "effect"
import { flag, instant, instantOrNull, number, numberOrNull, text, textOrNull } from "./fields.ts"
import { intText } from "./scalars.ts"

const list = <S extends Schema.Codec<unknown, unknown>>(item: S, description: string) =>
  Schema.Array(item).annotate({ description })

const ApiKeyBody = Schema.Struct({
  id: text("Id of the key: the third segment of the key's text"),
  name: text("Name of the key, chosen by the project"),
  environment: text("`live` or `test`: the second segment of the key's text"),
  scopes: list(Schema.String, "The scopes of the key"),
  createdAt: instant("When the key was created"),
  expiresAt: instantOrNull("When the key expires; null if it does not expire"),
  revokedAt: instantOrNull("When the key was revoked; null if it is not revoked"),
  lastUsedAt: instantOrNull("Last use of the key, to the minute; null before the first use")
}).annotate({ identifier: "ApiKey", description: "An API key, without its secret" })

export const ApiKeysResponse = Schema.Struct({
  keys: list(ApiKeyBody, "Every key of the project, the oldest first")
}).annotate({ identifier: "ApiKeys", description: "The project's API keys" })

export const CreateApiKeyBody = Schema.Struct({
  name: Schema.Trimmed.check(Schema.isMinLength(1), Schema.isMaxLength(100)).pipe(
    withDescription("Name of the key, 1 to 100 characters")
  ),
  scopes: Schema.Array(ProjectScope)
    .check(Schema.isMinLength(1), Schema.isMaxLength(6))
    .pipe(
      withDescription(
        "Scopes of the key. `admin` includes all others except `operator`, which only the command line grants"
      )
    ),
  environment: withDefault(
    Schema.Literals(["live", "test"]),
    "live",
    "Environment. The key's text contains it, so that a test key is not mistaken for a live key"
  ),
  expiresInSeconds: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 60, maximum: 315_360_000 })).pipe(
      withDescription(
        "Validity of the key, at most ten years. By default the key expires at the same time as the key that sends this request; if that key does not expire, the new key does not expire either"
      )
    )
  )
}).annotate({ identifier: "CreateApiKeyRequest", description: "Request to create an API key" })

export const CreatedApiKeyResponse = Schema.Struct({
  key: ApiKeyBody,
  apiKey: textOrNull(
    "The text of the key. Only this response contains it: in the response to a repeat with the same `Idempotency-Key` it is null"
  )
}).annotate({ identifier: "CreatedApiKey", description: "The key and its text" })

const PendingStageBody = Schema.Struct({
  stage: text("The stage, such as `inclusion` or `finality`"),
  waitsFor: Schema.Literals(WaitsFor.literals).annotate({
    description: "Party that must act before the operations continue"
  }),
  count: number("Number of operations in the stage"),
  lateCount: number("Number of operations that have waited for longer than normal"),
  oldestAt: instant("When the oldest operation was accepted")
}).annotate({ identifier: "PendingStage", description: "The pending operations of one stage" })

const PendingReviewsBody = Schema.Struct({
  status: Schema.Literals(["VERIFYING", "IN_REVIEW"]).annotate({
    description: "`VERIFYING`: the verification provider decides. `IN_REVIEW`: a reviewer decides"
  }),
  count: number("Number of identity verification sessions in this status"),
  oldestAt: instant("When the oldest session entered the status")
}).annotate({ identifier: "PendingReviews", description: "Verification sessions that wait for a decision" })

const LateOperationBody = Schema.Struct({
  transactionId: text("Id of the transaction"),
  projectId: text("Id of the project"),
  walletAddress: text("The wallet"),
  kind: text("Type of the operation"),
  stage: text("The current stage"),
  acceptedAt: instant("When it was accepted"),
  lateSince: instantOrNull("Time since which the wait is longer than normal"),
  waitsFor: text("What the operation waits for"),
  whatToDo: text("Recommended action for the operator")
}).annotate({ identifier: "LateOperation", description: "An operation that has waited for longer than normal" })

const FailedOperationBody = Schema.Struct({
  transactionId: text("Id of the transaction"),
  walletAddress: text("The wallet"),
  type: text("Type of the transaction"),
  code: text("Failure code"),
  reason: text("Why it failed"),
  whatToDo: text("Recommended action for the operator"),
  createdAt: instant("When it was accepted"),
  failedAt: instant("When it failed")
}).annotate({ identifier: "FailedOperation", description: "A failed transaction" })

const pendingFields = {
  stages: list(PendingStageBody, "Pending operations by stage"),
  reviews: list(PendingReviewsBody, "Identity verification sessions that wait for a decision, by status"),
  late: list(LateOperationBody, "Late operations, sorted by their delay, longest first; at most 50")
}

export const WorkResponse = Schema.Struct({
  ...pendingFields,
  failed: list(FailedOperationBody, "The latest failed operations; at most 50")
}).annotate({ identifier: "ProjectWork", description: "Pending, late and failed work of the project" })

export const InstallationWorkResponse = Schema.Struct(pendingFields).annotate({
  identifier: "InstallationWork",
  description: "Pending and late work of all projects"
})

const BudgetBody = Schema.Struct({
  usdPerDay: text("Daily budget in US dollars"),
  currentUsd: text(
    "Unpaid gas that currently counts against the budget, in US dollars. An amount counts in full at first, and decays to zero within two days"
  )
}).annotate({
  identifier: "UnpaidGasBudget",
  description: "The budget for unpaid gas: for the project, or in `OperatorBalances` for all projects"
})

const BalanceBody = Schema.Struct({
  kind: Schema.Literals(["OPERATOR", "PAYMASTER"]).annotate({
    description: "`OPERATOR`: an account of the built-in bundler. `PAYMASTER`: the deposit of a paymaster contract"
  }),
  chainId: number("The chain"),
  chainName: text("Name of the chain"),
  address: text("Address of the account or of the paymaster contract"),
  entryPointVersion: text("Version of the EntryPoint that the account or paymaster uses"),
  symbol: text("The chain's native token"),
  amount: textOrNull("The balance in native tokens; null if no node of the chain responds in time"),
  spentAmount: text(
    "Native tokens spent in the last 7 days. An operator account loses only the gas of reverted bundles, because the EntryPoint refunds all other bundles"
  ),
  daysLeft: numberOrNull(
    "Number of full days that the balance lasts at this rate; null if nothing was spent. If the paymaster's first operation is less than 7 days old, the rate since that operation is used"
  ),
  operationsLeft: numberOrNull(
    "Number of operations that the balance can pay at the current gas price; null if the gas price is zero"
  )
}).annotate({ identifier: "OperatorBalance", description: "A balance that pays gas" })

export const BalancesResponse = Schema.Struct({
  balances: list(BalanceBody, "The balances on each chain. A chain with an external bundler and paymaster has none"),
  unpaidGas: BudgetBody
}).annotate({ identifier: "OperatorBalances", description: "The balances of the accounts that pay gas" })

const ProjectBody = Schema.Struct({
  id: text("Id of the project"),
  name: text("Name of the project"),
  treasury: textOrNull("Address that receives transaction fees; null if there is none"),
  bitcoinTreasury: textOrNull("Bitcoin address that receives transaction fees; null if there is none"),
  computeUnits: numberOrNull("Remaining compute units; null for no limit"),
  createdAt: instant("When the project was created")
}).annotate({ identifier: "ProjectSummary", description: "A project" })

export const ProjectsResponse = Schema.Struct({
  projects: list(ProjectBody, "Every project, the oldest first")
}).annotate({ identifier: "Projects", description: "The projects of the installation" })

const UnpaidWalletBody = Schema.Struct({
  walletAddress: text("The wallet"),
  owner: text("Owner of the wallet"),
  chainId: number("The chain"),
  count: number("Number of operations that left gas unpaid"),
  usd: text("Unpaid gas of these operations, in US dollars"),
  currentUsd: text("Share of the unpaid gas that currently counts against the budget, in US dollars"),
  lastAt: instant("Time of the last operation that left gas unpaid"),
  state: Schema.Literals(["ALLOWED", "ONE_AT_A_TIME", "WAITING", "PENDING", "TOO_LARGE", "STOPPED"]).annotate({
    description:
      "Whether the service accepts the wallet's next operation that pays gas in a token. It does in the states `ALLOWED` and `ONE_AT_A_TIME`"
  }),
  scope: textOrNull(
    "The limit that was reached: `wallet`, `owner`, `project` or `operator`; null if the next operation is allowed"
  ),
  retryAfterSeconds: numberOrNull("Number of seconds until the next operation is accepted; null if it is allowed now")
}).annotate({ identifier: "UnpaidGasWallet", description: "A wallet with unpaid gas" })

export const BudgetsResponse = Schema.Struct({
  computeUnits: numberOrNull("Remaining compute units; null for no limit"),
  unpaidGas: BudgetBody,
  wallets: list(UnpaidWalletBody, "Wallets that left gas unpaid in the last 30 days; at most 50")
}).annotate({ identifier: "ProjectBudgets", description: "The budgets of the project, and unpaid gas of its wallets" })

const sessionFields = {
  sessionId: text("Id of the session"),
  kind: Schema.Literals(["business", "individual"]).annotate({ description: "The verified party" }),
  identityId: text("`businessId` or `individualId`"),
  status: Schema.Literals(SessionStatus.literals).annotate({ description: "The status of the session" }),
  reason: textOrNull("Reason why the session was rejected; null if it was not rejected"),
  country: text("Country of the identity"),
  createdAt: instant("When it was started"),
  updatedAt: instant("When its status last changed")
}

const IdentitySessionBody = Schema.Struct(sessionFields).annotate({
  identifier: "IdentitySession",
  description: "A verification session, without personal data"
})

export const IdentitySessionsQuery = {
  status: Schema.optionalKey(SessionStatus.pipe(withDescription("Only sessions in this status"))),
  take: intText({ minimum: 1, maximum: 200, default: 50 }, "Maximum number of sessions to return")
}

export const IdentitySessionsResponse = Schema.Struct({
  sessions: list(IdentitySessionBody, "The latest first")
}).annotate({ identifier: "IdentitySessions", description: "Verification sessions of the project" })

const PersonalFieldBody = Schema.Struct({
  name: text("Name of the field, as in the request that started the session"),
  value: text("Value of the field")
}).annotate({ identifier: "PersonalField", description: "A field of personal data" })

const PartReviewBody = Schema.Struct({
  ownerId: textOrNull("Id of an owner; null for the individual or business itself"),
  personal: list(PersonalFieldBody, "The submitted data; empty if the data were erased"),
  approvedBy: list(Schema.String, "Reviewers that approved this part: ids of API keys, or names from the command line"),
  isApproved: flag("Whether the approvals are sufficient")
}).annotate({
  identifier: "IdentityPart",
  description: "A part of a session that needs a decision: the individual or business itself, or one owner"
})

const SessionDocumentBody = Schema.Struct({
  documentId: text("Id of the document within the session, such as `front`"),
  type: text("Type of the document"),
  ownerId: textOrNull("Id of the owner; null for the individual or business itself"),
  isUploaded: flag("Whether the document is uploaded")
}).annotate({ identifier: "IdentityDocument", description: "A document of a session" })

export const IdentityReviewResponse = Schema.Struct({
  session: IdentitySessionBody,
  parts: list(PartReviewBody, "The parts that need a decision. The session is COMPLETED once all are approved"),
  documents: list(SessionDocumentBody, "The documents that the session requires"),
  otherSessions: list(IdentitySessionBody, "Other sessions of the same identity, the latest first")
}).annotate({ identifier: "IdentityReview", description: "A session with its data and documents, for its review" })

const OwnerId = withDefault(
  Schema.NullOr(Schema.String.check(Schema.isMaxLength(128))),
  null,
  "Id of an owner of a business; null for the individual or business itself"
)

export const ApproveBody = Schema.Struct({ ownerId: OwnerId }).annotate({
  identifier: "ApproveIdentityRequest",
  description: "The part of the session to approve"
})

export const RejectBody = Schema.Struct({
  reason: Schema.Trimmed.check(Schema.isMinLength(1), Schema.isMaxLength(500)).pipe(
    withDescription("Reason, which the API returns to the client; 1 to 500 characters")
  ),
  ownerId: OwnerId
}).annotate({ identifier: "RejectIdentityRequest", description: "The part to reject, and the reason" })

export const DecisionResponse = Schema.Struct({
  session: IdentitySessionBody,
  waitsFor: list(
    Schema.NullOr(Schema.String),
    "Parts that need another approval: ids of owners, and null for the individual or business itself. Empty once the session is decided"
  )
}).annotate({ identifier: "IdentityDecision", description: "The session after the decision" })

export const AccessesQuery = {
  identityId: Schema.optionalKey(
    Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(128)).pipe(
      withDescription("Only accesses to the data of this individual or business")
    )
  ),
  take: intText({ minimum: 1, maximum: 1_000, default: 100 }, "Maximum number of entries to return")
}

const AccessBody = Schema.Struct({
  identityId: text("The individual or business whose data were accessed"),
  action: Schema.Literals(AccessAction.literals).annotate({ description: "Type of access" }),
  reader: text(
    "Who accessed the data: the id of an API key, `operator`, `library`, `retention`, or the name of a provider or a reviewer"
  ),
  day: text("Day of the accesses (UTC)"),
  times: number("Number of accesses on that day"),
  lastAt: instant("Time of the last access on that day")
}).annotate({
  identifier: "PersonalDataAccess",
  description: "The accesses to one identity's data on one day, of one type, by one reader"
})

export const AccessesResponse = Schema.Struct({
  accesses: list(AccessBody, "The latest first")
}).annotate({ identifier: "PersonalDataAccesses", description: "Accesses to personal data" })
