/**
 * A reviewer's approvals of a business's parts: the business itself under its session's id, each owner under the
 * owner's id.
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
