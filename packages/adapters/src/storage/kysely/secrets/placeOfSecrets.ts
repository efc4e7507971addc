/** The row to which encrypted secrets are bound. */
export const placeOfSecrets = (row: { readonly id: string; readonly project_id: string }): string =>
  `webhook_endpoints ${row.project_id} ${row.id}`

/** The row of a subject's key. */
export const placeOfSubjectKey = (id: string): string => `subject_keys ${id}`
