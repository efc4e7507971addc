import { chainOf } from "@countersign/core/foundation/chains"
import { decimalFromBaseUnits } from "@countersign/core/foundation/primitives"
import {
  documentIdOf,
  isOver,
  type PartReview,
  type PersonalAccess,
  type PersonalData,
  type Review,
  type VerificationSession
} from "@countersign/core/identity"
import type { Balance, FailedOperation, PendingWork } from "@countersign/core/operations/oversight"
import type { Admission, Budget, UnpaidGasReport } from "@countersign/core/operations/unpaid-gas"
import type { ApiKey, Project } from "@countersign/core/tenancy/projects"
import { DateTime } from "effect"
import { deploymentOf } from "../../chains/deployments/index.ts"
import { coinText } from "./amounts.ts"

const isoText = DateTime.formatIso
const isoOrNull = (at: DateTime.Utc | null) => (at === null ? null : isoText(at))

export const apiKeyBody = ({ createdAt, environment, expiresAt, id, lastUsedAt, name, revokedAt, scopes }: ApiKey) => ({
  id,
  name,
  environment,
  scopes,
  createdAt: isoText(createdAt),
  expiresAt: isoOrNull(expiresAt),
  revokedAt: isoOrNull(revokedAt),
  lastUsedAt: isoOrNull(lastUsedAt)
})

export const projectSummary = ({ bitcoinTreasury, computeUnits, createdAt, id, name, treasury }: Project) => ({
  id,
  name,
  treasury,
  bitcoinTreasury,
  computeUnits,
  createdAt: isoText(createdAt)
})

export const pendingWorkBody = ({ late, reviews, stages }: PendingWork) => ({
  stages: stages.map(({ count, lateCount, oldestAcceptedAt, stage, waitsFor }) => ({
    stage,
    waitsFor,
    count,
    lateCount,
    oldestAt: isoText(oldestAcceptedAt)
  })),
  reviews: reviews.map(({ count, oldestAt, status }) => ({ status, count, oldestAt: isoText(oldestAt) })),
  late: late.map(({ acceptedAt, id, kind, lateSince, projectId, stage, waitsFor, walletAddress, whatToDo }) => ({
    transactionId: id,
    projectId,
    walletAddress,
    kind,
    stage,
    acceptedAt: isoText(acceptedAt),
    lateSince: isoOrNull(lateSince),
    waitsFor,
    whatToDo
  }))
})

export const failedOperationBody = ({ code, reason, transaction, whatToDo }: FailedOperation) => ({
  transactionId: transaction.id,
  walletAddress: transaction.walletAddress,
  type: transaction.type,
  code,
  reason,
  whatToDo,
  createdAt: isoText(transaction.createdAt),
  failedAt: isoText(transaction.updatedAt)
})

const usdText = (usdE6: bigint): string => decimalFromBaseUnits(usdE6, 6)

export const budgetBody = ({ currentUsdE6, usdE6PerDay }: Budget) => ({
  usdPerDay: usdText(usdE6PerDay),
  currentUsd: usdText(currentUsdE6)
})

export const balanceBody = ({
  address,
  chainId,
  daysLeft,
  entryPointVersion,
  funds,
  kind,
  operationsLeft,
  spentWei
}: Balance) => ({
  kind,
  chainId,
  chainName: chainOf(chainId).name,
  address,
  entryPointVersion,
  symbol: deploymentOf(chainId).nativeCurrency.symbol,
  amount: funds === null ? null : coinText(funds.wei),
  spentAmount: coinText(spentWei),
  daysLeft,
  operationsLeft: operationsLeft === null ? null : Number(operationsLeft)
})

const admissionFields = (admission: Admission) =>
  admission._tag === "Allowed"
    ? {
        state: admission.turn === null ? ("ALLOWED" as const) : ("ONE_AT_A_TIME" as const),
        scope: null,
        retryAfterSeconds: null
      }
    : { state: admission.state, scope: admission.scope, retryAfterSeconds: admission.retryAfterSeconds }

export const unpaidWalletBody = ({
  admission,
  chainId,
  count,
  currentUsdE6,
  lastAt,
  owner,
  usdE6,
  walletAddress
}: UnpaidGasReport) => ({
  walletAddress,
  owner,
  chainId,
  count,
  usd: usdText(usdE6),
  currentUsd: usdText(currentUsdE6),
  lastAt: isoText(lastAt),
  ...admissionFields(admission)
})

export const identitySessionBody = (session: VerificationSession) => ({
  sessionId: session.id,
  kind: session.kind,
  identityId: session.identityId,
  status: session.status,
  reason: session.reason,
  country: session.country,
  createdAt: isoText(session.createdAt),
  updatedAt: isoText(session.updatedAt)
})

const personalFields = (data: object) =>
  Object.entries(data).flatMap(([name, value]) =>
    typeof value === "string" && name !== "_tag" ? [{ name, value }] : []
  )

/**
 * Returns the personal data of a reviewed part: of the owner with this id, or of the individual or business itself if
 * `ownerId` is null.
 */
const personalFieldsOf = (
  personal: PersonalData | null,
  { ownerIds }: VerificationSession,
  { ownerId }: PartReview
) => {
  if (personal === null) return []
  if (ownerId === null) return personalFields(personal)
  const owner = personal._tag === "business" ? personal.owners[ownerIds.indexOf(ownerId)] : undefined
  return owner === undefined ? [] : personalFields(owner)
}

export const identityReviewBody = ({ documents, otherSessions, parts, personal, session }: Review) => ({
  session: identitySessionBody(session),
  parts: parts.map((part) => ({ ...part, personal: personalFieldsOf(personal, session, part) })),
  documents: documents.map(({ document, isUploaded }) => ({
    documentId: documentIdOf(document),
    type: document.type,
    ownerId: document.ownerId,
    isUploaded
  })),
  otherSessions: otherSessions.map(identitySessionBody)
})

export const decisionBody = (session: VerificationSession, parts: ReadonlyArray<PartReview>) => ({
  session: identitySessionBody(session),
  waitsFor: isOver(session.status) ? [] : parts.flatMap(({ isApproved, ownerId }) => (isApproved ? [] : [ownerId]))
})

export const accessBody = ({ action, day, identityId, lastAt, reader, times }: PersonalAccess) => ({
  identityId,
  action,
  reader,
  day,
  times,
  lastAt: isoText(lastAt)
})
