import { useState } from "preact/hooks"
import type { Client, IdentityPart, IdentityReview } from "../../src/client/index.ts"
import { Failure } from "../Failure.tsx"
import { useLoad } from "../useLoad.ts"
import { formatDateTime, title } from "../words.ts"
import { Confirmation } from "./Confirmation.tsx"
import { Document } from "./Document.tsx"
import { linkTo } from "./route.ts"

/** Converts a field name to a title, such as `firstName` to "First name". */
const fieldTitle = (name: string): string => title(name.replaceAll(/([A-Z0-9])/gu, "_$1"))

interface Decision {
  readonly kind: "approve" | "reject"
  readonly part: IdentityPart
}

interface PartProps {
  readonly part: IdentityPart
  readonly review: IdentityReview
  readonly onDecide: (decision: Decision) => void
}

const nameOf = ({ ownerId }: IdentityPart, { session }: IdentityReview): string =>
  ownerId === null ? title(session.kind) : `Owner ${ownerId}`

const Part = ({ onDecide, part, review }: PartProps) => {
  const { documents, session } = review
  const isOpen = session.status === "IN_REVIEW" || session.status === "VERIFYING"
  return (
    <section class="card stack">
      <h2>{nameOf(part, review)}</h2>
      {part.personal.length === 0 ? (
        <p class="muted">The personal data was erased.</p>
      ) : (
        <dl>
          {part.personal.map(({ name, value }) => (
            <>
              <dt key={name}>{fieldTitle(name)}</dt>
              <dd key={`${name} value`}>{value}</dd>
            </>
          ))}
        </dl>
      )}
      {documents
        .filter(({ ownerId }) => ownerId === part.ownerId)
        .map((document) => (
          <Document key={document.documentId} sessionId={session.sessionId} document={document} />
        ))}
      <p>
        {part.approvedBy.length === 0
          ? "No reviewer has approved this part."
          : `Approved by ${part.approvedBy.join(" and ")}.`}
        {part.approvedBy.length > 0 && !part.isApproved && isOpen && " It needs another reviewer."}
      </p>
      {isOpen && (
        <div class="buttons">
          {!part.isApproved && (
            <button type="button" onClick={() => onDecide({ kind: "approve", part })}>
              Approve
            </button>
          )}
          <button type="button" class="plain" onClick={() => onDecide({ kind: "reject", part })}>
            Reject
          </button>
        </div>
      )}
    </section>
  )
}

interface ReviewProps {
  readonly client: Client
  readonly sessionId: string
}

/** Shows the data and documents of a verification session. The reviewer approves or rejects each part. */
export const Review = ({ client, sessionId }: ReviewProps) => {
  const [decisionCount, setDecisionCount] = useState(0)
  const [decision, setDecision] = useState<Decision | null>(null)
  const { failure, value } = useLoad(`${sessionId} ${decisionCount}`, (signal) =>
    client.admin.session(sessionId, { signal })
  )
  const decide = async ({ kind, part: { ownerId } }: Decision, reason: string) => {
    await (kind === "approve"
      ? client.admin.approve(sessionId, { ownerId })
      : client.admin.reject(sessionId, { ownerId, reason }))
    setDecisionCount((count) => count + 1)
  }
  return (
    <div class="stack" aria-busy={value === undefined && failure === undefined}>
      <p>
        <a href={linkTo("reviews")}>All sessions</a>
      </p>
      <Failure of={failure} />
      {value !== undefined && (
        <>
          <section class="card">
            <h2>Session {value.session.sessionId}</h2>
            <dl>
              <dt>Status</dt>
              <dd>
                <span class="badge">{title(value.session.status)}</span>
              </dd>
              <dt>Identity</dt>
              <dd>{value.session.identityId}</dd>
              <dt>Started</dt>
              <dd>{formatDateTime(value.session.createdAt)}</dd>
              {value.session.reason !== null && (
                <>
                  <dt>Reason</dt>
                  <dd>{value.session.reason}</dd>
                </>
              )}
              {value.otherSessions.length > 0 && (
                <>
                  <dt>Other sessions</dt>
                  <dd>
                    {value.otherSessions.map(({ sessionId: other, status }) => (
                      <div key={other}>
                        <a href={linkTo("reviews", other)}>{other}</a> {title(status)}
                      </div>
                    ))}
                  </dd>
                </>
              )}
            </dl>
          </section>
          {value.parts.map((part) => (
            <Part key={part.ownerId ?? ""} part={part} review={value} onDecide={setDecision} />
          ))}
        </>
      )}
      {value !== undefined && decision !== null && (
        <Confirmation
          title={`${decision.kind === "approve" ? "Approve" : "Reject"}: ${nameOf(decision.part, value)}`}
          action={decision.kind === "approve" ? "Approve permanently" : "Reject permanently"}
          asksForReason={decision.kind === "reject"}
          onConfirm={(reason) => decide(decision, reason)}
          onClose={() => setDecision(null)}
        >
          This can't be undone.
        </Confirmation>
      )}
    </div>
  )
}
