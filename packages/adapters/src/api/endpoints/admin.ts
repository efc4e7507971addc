import { BadRequest } from "@countersign/core/foundation/errors"
import { DocumentNotFound, ReviewPolicy, Verifications } from "@countersign/core/identity"
import { Oversight } from "@countersign/core/operations/oversight"
import { UnpaidGasLedger } from "@countersign/core/operations/unpaid-gas"
import { DataSubjects } from "@countersign/core/tenancy/data-subjects"
import { CallerExpiry, Projects } from "@countersign/core/tenancy/projects"
import { DateTime, Effect, Schema } from "effect"
import { DocumentFiles } from "../../identity/index.ts"
import {
  AccessesQuery,
  AccessesResponse,
  ApiKeysResponse,
  ApproveBody,
  accessBody,
  apiKeyBody,
  BalancesResponse,
  BudgetsResponse,
  balanceBody,
  budgetBody,
  CreateApiKeyBody,
  CreatedApiKeyResponse,
  DecisionResponse,
  decisionBody,
  failedOperationBody,
  IdentityReviewResponse,
  IdentitySessionsQuery,
  IdentitySessionsResponse,
  InstallationWorkResponse,
  identityReviewBody,
  identitySessionBody,
  ProjectsResponse,
  pendingWorkBody,
  projectSummary,
  RejectBody,
  unpaidWalletBody,
  WorkResponse
} from "../wire/index.ts"
import { endpoint } from "./Endpoint.ts"
import { SESSION } from "./exampleValues.ts"
import { isStoredFile, type StoredFile } from "./StoredFile.ts"

const SESSIONS_PATH = "/api/v1/admin/identity-sessions"

const sessionPath = {
  sessionId: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(128)).annotate({
    description: "Id of the verification session"
  })
}

const keys = endpoint({
  id: "admin.keys",
  method: "GET",
  path: "/api/v1/admin/keys",
  summary: "List the API keys of the project",
  description:
    "Returns each key with its scopes and its last use. The secret of a key is shown only when it is created.",
  success: ApiKeysResponse,
  responses: "keys",
  errors: ["PROJECT_NOT_FOUND"],
  scope: "admin",
  cost: null,
  run: ({ project }) =>
    Effect.map(
      Projects.use((projects) => projects.listKeys(project.id)),
      (apiKeys) => ({ keys: apiKeys.map(apiKeyBody) })
    )
})

const createKey = endpoint({
  id: "admin.createKey",
  method: "POST",
  path: "/api/v1/admin/keys",
  summary: "Create an API key for the project",
  description:
    "Only this response contains the text of the key, because the service stores only a hash. A key with an expiry can create only keys that expire no later than itself. With the setting IDENTITY_FOUR_EYES only the command line can grant `admin`.",
  payload: CreateApiKeyBody,
  success: CreatedApiKeyResponse,
  status: 201,
  shownOnce: ["apiKey"],
  errors: ["PROJECT_NOT_FOUND"],
  scope: "admin",
  cost: null,
  example: { body: { name: "backend", scopes: ["read", "quote"], environment: "test", expiresInSeconds: 86_400 } },
  links: {
    revoke: {
      operationId: "admin.revokeKey",
      description: "Revoke the key",
      parameters: { keyId: "$response.body#/key/id" }
    }
  },
  run: Effect.fnUntraced(function* ({ payload: { expiresInSeconds, ...request }, project }) {
    const { isFourEyes } = yield* ReviewPolicy
    if (isFourEyes && request.scopes.includes("admin")) {
      return yield* BadRequest.of(
        "scopes",
        "invalid",
        "The setting IDENTITY_FOUR_EYES is on, so that this request can't create `admin` keys: one reviewer could approve with two keys. Ask the operator for a key: `countersign key create --scope admin`."
      )
    }
    const latestExpiry = yield* CallerExpiry
    const expiresAt =
      expiresInSeconds === undefined ? latestExpiry : DateTime.add(yield* DateTime.now, { seconds: expiresInSeconds })
    if (latestExpiry !== null && expiresAt !== null && DateTime.isGreaterThan(expiresAt, latestExpiry)) {
      return yield* BadRequest.of(
        "expiresInSeconds",
        "invalid",
        `The key of this request expires at ${DateTime.formatIso(latestExpiry)}, so it can't create a key that expires later. Use an earlier expiry, or ask the operator for a key: \`countersign key create\`.`
      )
    }
    const { key, text } = yield* (yield* Projects).createKey(project.id, { ...request, expiresAt })
    return { key: apiKeyBody(key), apiKey: text }
  })
})

const revokeKey = endpoint({
  id: "admin.revokeKey",
  method: "DELETE",
  path: "/api/v1/admin/keys/:keyId",
  summary: "Revoke an API key of the project",
  description: "From now on, requests with the key fail with 401. Revoking a key can't be undone.",
  params: {
    keyId: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(64)).annotate({
      description: "Id of the key"
    })
  },
  errors: ["API_KEY_NOT_FOUND"],
  scope: "admin",
  cost: null,
  example: { parameters: { keyId: "0123456789abcdef" } },
  run: ({ params, project }) => Projects.use((projects) => projects.revokeKeyOf(project.id, params.keyId))
})

const work = endpoint({
  id: "admin.work",
  method: "GET",
  path: "/api/v1/admin/work",
  summary: "Get the project's pending, late and failed operations",
  description:
    "Returns the number of pending operations in each stage and the time of the oldest one, the late and failed operations with the reason and the remedy, and the verification sessions that wait for a decision.",
  success: WorkResponse,
  errors: [],
  scope: "admin",
  cost: "read",
  run: Effect.fnUntraced(function* ({ project }) {
    const oversight = yield* Oversight
    const failedWork = yield* oversight.listFailed(project.id)
    return {
      ...pendingWorkBody(yield* oversight.readPendingWork(project.id)),
      failed: failedWork.map(failedOperationBody)
    }
  })
})

const budgets = endpoint({
  id: "admin.budgets",
  method: "GET",
  path: "/api/v1/admin/budgets",
  summary: "Get the project's compute units, gas budget and unpaid gas",
  description: "Returns the remaining compute units, the budget for unpaid gas, and the wallets that left gas unpaid.",
  success: BudgetsResponse,
  errors: [],
  scope: "admin",
  cost: null,
  run: Effect.fnUntraced(function* ({ project }) {
    const unpaidGasLedger = yield* UnpaidGasLedger
    const { project: unpaidGas } = yield* unpaidGasLedger.readBudgets(project.id)
    const wallets = yield* unpaidGasLedger.report(project.id)
    return {
      computeUnits: project.computeUnits,
      unpaidGas: budgetBody(unpaidGas),
      wallets: wallets.map(unpaidWalletBody)
    }
  })
})

const sessions = endpoint({
  id: "admin.sessions",
  method: "GET",
  path: SESSIONS_PATH,
  summary: "List the identity verification sessions of the project",
  description:
    "Returns the latest sessions, without personal data. `status=IN_REVIEW` selects the sessions that wait for a reviewer.",
  query: IdentitySessionsQuery,
  success: IdentitySessionsResponse,
  responses: "sessions",
  errors: [],
  scope: "admin",
  cost: null,
  example: { parameters: { status: "IN_REVIEW" } },
  links: {
    session: {
      operationId: "admin.session",
      description: "Get a session with its data and documents",
      parameters: { sessionId: "$response.body#/sessions/0/sessionId" }
    },
    approve: {
      operationId: "admin.approve",
      description: "Approve a session",
      parameters: { sessionId: "$response.body#/sessions/0/sessionId" }
    },
    reject: {
      operationId: "admin.reject",
      description: "Reject a session",
      parameters: { sessionId: "$response.body#/sessions/1/sessionId" }
    }
  },
  run: ({ project, query: { status = null, take } }) =>
    Effect.map(
      Verifications.use((verifications) => verifications.list(project.id, status, take)),
      (verificationSessions) => ({ sessions: verificationSessions.map(identitySessionBody) })
    )
})

const session = endpoint({
  id: "admin.session",
  method: "GET",
  path: `${SESSIONS_PATH}/:sessionId`,
  summary: "Get an identity verification session for its review",
  description:
    "Returns the submitted data, the documents, and the reviewers that approved each part. The access log for personal data records this request.",
  params: sessionPath,
  success: IdentityReviewResponse,
  errors: ["VERIFICATION_SESSION_NOT_FOUND", "UPSTREAM_UNAVAILABLE"],
  scope: "admin",
  cost: null,
  example: { parameters: { sessionId: SESSION } },
  links: {
    document: {
      operationId: "admin.document",
      description: "Get a document",
      parameters: {
        sessionId: "$response.body#/session/sessionId",
        documentId: "$response.body#/documents/0/documentId"
      }
    }
  },
  run: ({ params, project }) =>
    Effect.map(
      Verifications.use((verifications) => verifications.review(project.id, params.sessionId)),
      identityReviewBody
    )
})

const document = endpoint({
  id: "admin.document",
  method: "GET",
  path: `${SESSIONS_PATH}/:sessionId/documents/:documentId`,
  summary: "Get a document of an identity verification session",
  description:
    "Returns the decrypted file: a PDF, JPEG or PNG file of at most 25 MiB. The access log for personal data records this request.",
  params: {
    ...sessionPath,
    documentId: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(160)).annotate({
      description: "Id of the document within the session"
    })
  },
  success: Schema.declare(isStoredFile),
  isFile: true,
  errors: ["VERIFICATION_SESSION_NOT_FOUND", "VERIFICATION_DOCUMENT_NOT_FOUND", "UPSTREAM_UNAVAILABLE"],
  scope: "admin",
  cost: null,
  example: { parameters: { sessionId: SESSION, documentId: "front" } },
  run: Effect.fnUntraced(function* ({ params: { documentId, sessionId }, project }) {
    const verifications = yield* Verifications
    const { identityId, key } = yield* verifications.documentOf(project.id, sessionId, documentId)
    const content = yield* (yield* DocumentFiles).read({ identityId, key })
    if (content === null) return yield* new DocumentNotFound({ sessionId, documentId })
    yield* verifications.recordOpened({ projectId: project.id, identityId })
    const file: StoredFile = { name: `${sessionId}-${documentId}`, content }
    return file
  })
})

/** Records a reviewer's decision. `Verifications` uses the current reader of personal data as the reviewer. */
const decidePart = Effect.fnUntraced(function* (...decision: Parameters<Verifications["Service"]["decidePart"]>) {
  const verifications = yield* Verifications
  const session = yield* verifications.decidePart(...decision)
  return decisionBody(session, yield* verifications.listParts(session))
})

const decisionErrors = [
  "VERIFICATION_SESSION_NOT_FOUND",
  "VERIFICATION_SESSION_STATE",
  "VERIFICATION_OWNER_NOT_FOUND"
] as const

const approve = endpoint({
  id: "admin.approve",
  method: "POST",
  path: `${SESSIONS_PATH}/:sessionId/approve`,
  summary: "Approve an identity verification session",
  description:
    "Approves the person or business itself, or one owner of a business. The session is COMPLETED once all parts are approved. With the setting IDENTITY_FOUR_EYES each part needs the approval of two different API keys.",
  params: sessionPath,
  payload: ApproveBody,
  success: DecisionResponse,
  errors: decisionErrors,
  scope: "admin",
  cost: null,
  example: { parameters: { sessionId: SESSION }, body: {} },
  run: ({ params, payload, project }) => decidePart(project.id, params.sessionId, payload.ownerId, { _tag: "Approve" })
})

const reject = endpoint({
  id: "admin.reject",
  method: "POST",
  path: `${SESSIONS_PATH}/:sessionId/reject`,
  summary: "Reject an identity verification session",
  description:
    "Rejects the session. With `ownerId`, rejects the business because of that owner. One reviewer is enough. A rejection can't be undone.",
  params: sessionPath,
  payload: RejectBody,
  success: DecisionResponse,
  errors: decisionErrors,
  scope: "admin",
  cost: null,
  example: { parameters: { sessionId: SESSION }, body: { reason: "The picture is too dark." } },
  run: ({ params, payload: { ownerId, reason }, project }) =>
    decidePart(project.id, params.sessionId, ownerId, { _tag: "Reject", reason })
})

const accesses = endpoint({
  id: "admin.accesses",
  method: "GET",
  path: "/api/v1/admin/personal-data-accesses",
  summary: "List the accesses to personal data",
  description: "Returns the accesses to the project's personal data, by day, type and reader.",
  query: AccessesQuery,
  success: AccessesResponse,
  responses: "accesses",
  errors: [],
  scope: "admin",
  cost: null,
  example: {},
  run: ({ project, query: { identityId = null, take } }) =>
    Effect.map(
      DataSubjects.use((subjects) => subjects.listAccesses(project.id, identityId, take)),
      (personalAccesses) => ({ accesses: personalAccesses.map(accessBody) })
    )
})

const projects = endpoint({
  id: "admin.projects",
  method: "GET",
  path: "/api/v1/admin/projects",
  summary: "List the projects of the installation",
  description: "Requires the scope `operator`, which `admin` does not include. Only the command line grants it.",
  success: ProjectsResponse,
  responses: "projects",
  errors: [],
  scope: "operator",
  cost: null,
  run: () =>
    Effect.map(
      Projects.use(({ list }) => list),
      (allProjects) => ({ projects: allProjects.map(projectSummary) })
    )
})

const balances = endpoint({
  id: "admin.balances",
  method: "GET",
  path: "/api/v1/admin/balances",
  summary: "Get the balances that pay gas, and for how many days they last",
  description:
    "Returns the operator accounts and paymaster deposits on each chain, the number of days that each balance lasts at the spending rate of the last 7 days, and the budget for unpaid gas of all projects. Requires the scope `operator`.",
  success: BalancesResponse,
  errors: [],
  scope: "operator",
  cost: null,
  run: Effect.fnUntraced(function* ({ project }) {
    const { operator } = yield* (yield* UnpaidGasLedger).readBudgets(project.id)
    const gasBalances = yield* (yield* Oversight).balances
    return { balances: gasBalances.map(balanceBody), unpaidGas: budgetBody(operator) }
  })
})

const installationWork = endpoint({
  id: "admin.installationWork",
  method: "GET",
  path: "/api/v1/admin/installation-work",
  summary: "Get the pending and late operations of all projects",
  description:
    "Returns the data of `GET /api/v1/admin/work` for all projects, without the failed operations. Requires the scope `operator`.",
  success: InstallationWorkResponse,
  errors: [],
  scope: "operator",
  cost: null,
  run: () =>
    Effect.map(
      Oversight.use((oversight) => oversight.readPendingWork(null)),
      pendingWorkBody
    )
})

export const admin = {
  work,
  budgets,
  sessions,
  session,
  document,
  approve,
  reject,
  accesses,
  keys,
  createKey,
  revokeKey,
  projects,
  balances,
  installationWork
}
