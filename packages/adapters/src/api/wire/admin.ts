import { described, withDefault } from "@countersign/core/foundation/primitives"
import { AccessAction, SessionStatus } from "@countersign/core/identity"
import { WaitsFor } from "@countersign/core/operations/executions"
import { ProjectScope } from "@countersign/core/tenancy/projects"
import { Schema } from "effect"
import { flag, instant, instantOrNull, number, numberOrNull, text, textOrNull } from "./fields.ts"
import { intText } from "./scalars.ts"

const list = <S extends Schema.Codec<unknown, unknown>>(item: S, description: string) =>
  Schema.Array(item).annotate({ description })

const ApiKeyBody = Schema.Struct({
  id: text("Id of the key: the third part of its text"),
  name: text("Note of the project"),
  environment: text("`live` or `test`: the second part of its text"),
  scopes: list(Schema.String, "The scopes of the key"),
  createdAt: instant("When it was created"),
  expiresAt: instantOrNull("When the key expires; null if it does not expire"),
  revokedAt: instantOrNull("When the key was revoked; null if it is not revoked"),
  lastUsedAt: instantOrNull("Last use of the key, to the minute; null before the first use")
}).annotate({ identifier: "ApiKey", description: "An API key, without its secret" })

export const ApiKeysResponse = Schema.Struct({
  keys: list(ApiKeyBody, "Every key of the project, the oldest first")
}).annotate({ identifier: "ApiKeys", description: "The keys of the project" })

export const CreateApiKeyBody = Schema.Struct({
  name: Schema.Trimmed.check(Schema.isMinLength(1), Schema.isMaxLength(100)).pipe(
    described("Note of the project, 1 to 100 characters")
  ),
  scopes: Schema.Array(ProjectScope)
    .check(Schema.isMinLength(1), Schema.isMaxLength(6))
    .pipe(described("The scopes of the key. `admin` includes all others. Only the command line grants `operator`")),
  environment: withDefault(
    Schema.Literals(["live", "test"]),
    "live",
    "Part of the key, so that a key of the wrong kind is recognizable"
  ),
  expiresInSeconds: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 60, maximum: 315_360_000 })).pipe(
      described(
        "Time that the key is valid, at most ten years. By default it expires with the key of the request, or never if that key does not expire"
      )
    )
  )
}).annotate({ identifier: "CreateApiKeyRequest", description: "A key to create" })

export const CreatedApiKeyResponse = Schema.Struct({
  key: ApiKeyBody,
  apiKey: textOrNull(
    "The text of the key. Only this response contains it: a repeat with the same `Idempotency-Key` has null instead"
  )
}).annotate({ identifier: "CreatedApiKey", description: "The key and its text" })

const PendingStageBody = Schema.Struct({
  stage: text("The stage, such as `inclusion` or `finality`"),
  waitsFor: Schema.Literals(WaitsFor.literals).annotate({ description: "The party that has to act" }),
  count: number("Operations in the stage"),
  lateCount: number("Operations that have waited for longer than normal"),
  oldestAt: instant("When the oldest operation was accepted")
}).annotate({ identifier: "PendingStage", description: "The pending operations of one stage" })

const PendingReviewsBody = Schema.Struct({
  status: Schema.Literals(["VERIFYING", "IN_REVIEW"]).annotate({
    description: "`VERIFYING`: the verification provider decides. `IN_REVIEW`: a reviewer decides"
  }),
  count: number("Identity verification sessions in this status"),
  oldestAt: instant("When the oldest session entered the status")
}).annotate({ identifier: "PendingReviews", description: "Verification sessions that wait for a decision" })

const LateOperationBody = Schema.Struct({
  transactionId: text("Id of the transaction"),
  projectId: text("Id of the project"),
  walletAddress: text("The wallet"),
  kind: text("The kind of the operation"),
  stage: text("The current stage"),
  acceptedAt: instant("When it was accepted"),
  lateSince: instantOrNull("Time since which the wait is longer than normal"),
  waitsFor: text("The cause of the wait"),
  whatToDo: text("Recommended action of the operator")
}).annotate({ identifier: "LateOperation", description: "An operation that has waited for longer than normal" })

const FailedOperationBody = Schema.Struct({
  transactionId: text("Id of the transaction"),
  walletAddress: text("The wallet"),
  type: text("Type of the transaction"),
  code: text("The code of the failure"),
  reason: text("Why it failed"),
  whatToDo: text("Recommended action of the operator"),
  createdAt: instant("When it was accepted"),
  failedAt: instant("When it failed")
}).annotate({ identifier: "FailedOperation", description: "A failed transaction" })

const pendingFields = {
  stages: list(PendingStageBody, "Pending operations by stage"),
  reviews: list(PendingReviewsBody, "Identity verification sessions that wait for a decision, by status"),
  late: list(LateOperationBody, "Operations that are late, the longest first; at most 50")
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
  usdPerDay: text("The budget of a day in US dollars"),
  currentUsd: text(
    "Unpaid gas that counts now, in US dollars. A loss counts in full at first, and decays to zero within two days"
  )
}).annotate({
  identifier: "UnpaidGasBudget",
  description: "The budget of unpaid gas: of the project, or of all projects in the balances of the installation"
})

const BalanceBody = Schema.Struct({
  kind: Schema.Literals(["OPERATOR", "PAYMASTER"]).annotate({
    description: "`OPERATOR`: an account of the built-in bundler. `PAYMASTER`: the deposit of a paymaster contract"
  }),
  chainId: number("The chain"),
  chainName: text("Name of the chain"),
  address: text("Address of the account or of the paymaster contract"),
  entryPointVersion: text("The version of its EntryPoint"),
  symbol: text("The chain's native token"),
  amount: textOrNull("The balance in native tokens; null if no node of the chain responds in time"),
  spentAmount: text(
    "Native tokens that it has spent in the last 7 days. An operator account spends the gas of reverted bundles only, because all other bundles are refunded"
  ),
  daysLeft: numberOrNull(
    "Whole days that the balance lasts at this rate; null if nothing was spent. For a paymaster whose first operation is more recent, the rate since that operation counts"
  ),
  operationsLeft: numberOrNull(
    "Operations that the balance can pay at the current gas price; null if gas costs nothing"
  )
}).annotate({ identifier: "OperatorBalance", description: "A balance that pays gas" })

export const BalancesResponse = Schema.Struct({
  balances: list(
    BalanceBody,
    "The balances on each chain. Chains with an external bundler and paymaster have no balances"
  ),
  unpaidGas: BudgetBody
}).annotate({ identifier: "OperatorBalances", description: "The balances of the accounts that pay gas" })

const ProjectBody = Schema.Struct({
  id: text("Id of the project"),
  name: text("Name of the project"),
  treasury: textOrNull("Address that receives transaction fees; null if there is none"),
  bitcoinTreasury: textOrNull("Bitcoin address that receives transaction fees; null if there is none"),
  computeUnits: numberOrNull("Remaining compute units; null for no limit"),
  createdAt: instant("When it was created")
}).annotate({ identifier: "ProjectSummary", description: "A project" })

export const ProjectsResponse = Schema.Struct({
  projects: list(ProjectBody, "Every project, the oldest first")
}).annotate({ identifier: "Projects", description: "The projects of the installation" })

const UnpaidWalletBody = Schema.Struct({
  walletAddress: text("The wallet"),
  owner: text("Owner of the wallet"),
  chainId: number("The chain"),
  count: number("Operations that left gas unpaid"),
  usd: text("Their unpaid gas in US dollars"),
  currentUsd: text("The part of the unpaid gas that counts now"),
  lastAt: instant("Time of the last unpaid operation"),
  state: Schema.Literals(["ALLOWED", "ONE_AT_A_TIME", "WAITING", "PENDING", "TOO_LARGE", "STOPPED"]).annotate({
    description:
      "Whether its next operation with gas in a token is accepted. `ALLOWED` and `ONE_AT_A_TIME` are accepted"
  }),
  scope: textOrNull(
    "The limit that applies: `wallet`, `owner`, `project` or `operator`; null if the operation is allowed"
  ),
  retryAfterSeconds: numberOrNull("When the next operation is accepted; null if the operation is allowed")
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
  reason: textOrNull("Reason of the refusal; null if it was not refused"),
  country: text("Country of the identity"),
  createdAt: instant("When it was started"),
  updatedAt: instant("When its status last changed")
}

const IdentitySessionBody = Schema.Struct(sessionFields).annotate({
  identifier: "IdentitySession",
  description: "A verification session, without personal data"
})

export const IdentitySessionsQuery = {
  status: Schema.optionalKey(SessionStatus.pipe(described("Only sessions in this status"))),
  take: intText({ minimum: 1, maximum: 200, default: 50 }, "Sessions to return, at most")
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
  personal: list(PersonalFieldBody, "The submitted data; empty if they were erased"),
  approvedBy: list(
    Schema.String,
    "The reviewers that approved it: ids of API keys, or names given on the command line"
  ),
  isApproved: flag("Whether the approvals are sufficient")
}).annotate({ identifier: "IdentityPart", description: "A part of a session that needs a decision" })

const SessionDocumentBody = Schema.Struct({
  documentId: text("Id of the document within the session, such as `front`"),
  type: text("Kind of the document"),
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
  description: "The part to approve"
})

export const RejectBody = Schema.Struct({
  reason: Schema.Trimmed.check(Schema.isMinLength(1), Schema.isMaxLength(500)).pipe(
    described("The reason, which the API shows to the client, 1 to 500 characters")
  ),
  ownerId: OwnerId
}).annotate({ identifier: "RejectIdentityRequest", description: "The part to refuse, and the reason" })

export const DecisionResponse = Schema.Struct({
  session: IdentitySessionBody,
  waitsFor: list(
    Schema.NullOr(Schema.String),
    "Parts that need another approval: ids of owners, and null for the individual or business itself. Empty once it is decided"
  )
}).annotate({ identifier: "IdentityDecision", description: "The session after the decision" })

export const AccessesQuery = {
  identityId: Schema.optionalKey(
    Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(128)).pipe(
      described("Only accesses to the data of this individual or business")
    )
  ),
  take: intText({ minimum: 1, maximum: 1_000, default: 100 }, "Accesses to return, at most")
}

const AccessBody = Schema.Struct({
  identityId: text("The individual or business whose data were accessed"),
  action: Schema.Literals(AccessAction.literals).annotate({ description: "The kind of access" }),
  reader: text(
    "The reader: the id of an API key, `operator`, `library`, `retention`, or the name of a provider or a reviewer"
  ),
  day: text("The day (UTC)"),
  times: number("Number of accesses on that day"),
  lastAt: instant("The last time")
}).annotate({ identifier: "PersonalDataAccess", description: "Accesses of one day, of one kind, by one reader" })

export const AccessesResponse = Schema.Struct({
  accesses: list(AccessBody, "The latest first")
}).annotate({ identifier: "PersonalDataAccesses", description: "Accesses to personal data" })
