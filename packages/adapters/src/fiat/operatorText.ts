const LONGEST = 200

/**
 * A provider's own text for the operator's log: bounded, on one line, with what may be secret or an account masked. No customer sees
 * it: it may hold names, which have no form to mask them by.
 */
export const operatorText = (text: string): string =>
  text
    .slice(0, 4 * LONGEST)
    .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
    .replaceAll(/[^\s@<>"']+@[^\s@<>"']+/gu, "[e-mail]")
    .replaceAll(/[\w+/=-]{20,}/gu, "[token]")
    .replaceAll(/\d(?:[\s./()-]{0,2}\d){4,}/gu, "[digits]")
    .trim()
    .slice(0, LONGEST)
