/** What an operator has approved of a business's verification: the business itself under its session's id, each owner under theirs. */
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
