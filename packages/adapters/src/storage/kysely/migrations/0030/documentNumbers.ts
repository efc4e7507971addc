import type { ColumnTypes } from "../Migration.ts"

/** Current version of the format of `documentsOf`. */
export const COMPARED_FORM = 3

/**
 * Adds the version of the format in which a document is fingerprinted: 1 = as sent, 2 = normalized without a category,
 * `COMPARED_FORM` = current. `renewFingerprints` replaces fingerprints of earlier versions.
 */
export const documentNumbers = ({ integer }: ColumnTypes): string =>
  `alter table verification_identities add column number_form ${integer} not null default 1`

export interface NumberFormColumn {
  number_form: number
}
