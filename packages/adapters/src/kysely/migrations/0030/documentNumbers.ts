import type { ColumnTypes } from "../Migration.ts"

/** Numbers as `documentOf` compares them. */
export const COMPARED_FORM = 2

/** The form of the document numbers that fingerprints are made of: 1 as they were sent, `COMPARED_FORM` since. */
export const documentNumbers = ({ integer }: ColumnTypes): string =>
  `alter table verification_identities add column number_form ${integer} not null default 1`

export interface NumberFormColumn {
  number_form: number
}
