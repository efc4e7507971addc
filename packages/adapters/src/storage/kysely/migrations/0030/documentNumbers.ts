import type { ColumnTypes } from "../Migration.ts"

/** Documents as `documentsOf` compares them. */
export const COMPARED_FORM = 3

/**
 * The form of the documents that fingerprints are made of: 1 as they were sent, 2 in one form without a category, `COMPARED_FORM` since.
 * `renewFingerprints` replaces earlier ones.
 */
export const documentNumbers = ({ integer }: ColumnTypes): string =>
  `alter table verification_identities add column number_form ${integer} not null default 1`

export interface NumberFormColumn {
  number_form: number
}
