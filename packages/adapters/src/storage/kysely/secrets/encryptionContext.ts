/** Returns the row to which encrypted secrets are bound. */
export const secretsEncryptionContext = (row: { readonly id: string; readonly project_id: string }): string =>
  `webhook_endpoints ${row.project_id} ${row.id}`

/** Returns the row to which the encrypted key of an identity is bound. */
export const subjectKeyEncryptionContext = (id: string): string => `subject_keys ${id}`
