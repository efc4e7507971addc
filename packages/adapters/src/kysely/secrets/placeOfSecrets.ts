/** The row whose secrets are sealed for it alone. */
export const placeOfSecrets = (row: { readonly id: string; readonly project_id: string }): string =>
  `webhook_endpoints ${row.project_id} ${row.id}`
