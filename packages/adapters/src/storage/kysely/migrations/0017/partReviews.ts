/**
 * Table of reviewers' approvals of the parts of a session: the business itself under the session's id, each owner under
 * the owner's id.
 */
export const partReviews = {
  tables: {
    verification_part_reviews: {
      session_id: "text not null references verification_sessions (id) on delete cascade",
      part: "text not null",
      approved_at: "integer not null",
      "primary key": "(session_id, part)"
    }
  },
  indices: []
} as const
